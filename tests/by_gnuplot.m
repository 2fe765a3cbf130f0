function said = by_gnuplot (code)
% BY_GNUPLOT  What a session of its own says that runs the code where there is no display, so that gnuplot draws: gnuplot
% complains in lines of its own, which no try can see. Empty if nothing complains; the code may hold no double quotes.
file = [tempname() ".log"];
unwind_protect
  folders = {fileparts(which ("attnpath_demo")), fileparts(which ("attnpath_solve_mex"))};
  code = sprintf ("addpath ('%s', '%s'); try, %s, catch failure, disp (['failed: ' failure.message]), end", folders{:}, code);
  code = ["warning ('off', 'Octave:gnuplot-graphics'); graphics_toolkit ('gnuplot'); " code "; disp ('at the end')"];
  binary = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
  system (sprintf ("env -u DISPLAY \"%s\" --norc --no-history --eval \"%s\" >\"%s\" 2>&1 </dev/null", binary, code, file));
  said = fileread (file);
unwind_protect_cleanup
  if exist (file, "file"), delete (file); endif
end_unwind_protect
lines = strsplit (said, "\n");
bad = cellfun (@(x) ! isempty (regexp (x, 'multiplot>|gnuplot>|invalid command|^failed|^\s*error|^warning: .*gnuplot', "once")), lines);
if isempty (strfind (said, "at the end")), bad(:) = true; endif
said = strjoin (lines(bad), "\n");
end
