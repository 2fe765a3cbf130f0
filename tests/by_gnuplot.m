function [said, all] = by_gnuplot (code)
% BY_GNUPLOT  What a session of its own says that runs the code where there is no display, so that gnuplot draws, or
% nothing where there is no gnuplot. said: of that, what gnuplot complains of in lines of its own, which no try can see;
% empty if nothing complains. all: every line. The code may hold no double quotes.
file = [tempname() ".log"];
unwind_protect
  folders = {fileparts(which ("attnpath_demo")), fileparts(which ("attnpath_solve_mex"))};
  form = "addpath ('%s', '%s'); try, %s, catch failure, disp (['failed: ' failure.message]), end";
  code = sprintf (form, folders{:}, code);
  if any (strcmp (available_graphics_toolkits (), "gnuplot"))
    code = ["warning ('off', 'Octave:gnuplot-graphics'); graphics_toolkit ('gnuplot'); " code];
  endif
  binary = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
  form = "env -u DISPLAY \"%s\" --norc --no-history --eval \"%s; disp ('at the end')\" >\"%s\" 2>&1 </dev/null";
  system (sprintf (form, binary, code, file));
  all = fileread (file);
unwind_protect_cleanup
  if exist (file, "file"), delete (file); endif
end_unwind_protect
lines = strsplit (all, "\n");
words = 'multiplot>|gnuplot>|invalid command|^failed|^\s*error|^warning: .*gnuplot';
bad = cellfun (@(x) ! isempty (regexp (x, words, "once")), lines);
if isempty (strfind (all, "at the end")), bad(:) = true; endif
said = strjoin (lines(bad), "\n");
end
