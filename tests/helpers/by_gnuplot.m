function [said, all] = by_gnuplot (code)
% BY_GNUPLOT  What a session of its own says that runs the code where there is no display, so that gnuplot draws, or
% nothing where there is no gnuplot. said: of that, what gnuplot complains of in lines of its own, which no try can see;
% empty if nothing complains. all: every line.
form = "try, %s, catch failure, disp (['failed: ' failure.message]), end\ndisp ('at the end')";
code = sprintf (form, code);
if any (strcmp (available_graphics_toolkits (), "gnuplot"))
  code = ["warning ('off', 'Octave:gnuplot-graphics'); graphics_toolkit ('gnuplot');\n" code];
endif
[command, gone] = session (code);
[~, all] = system (["env -u DISPLAY " command " 2>&1 </dev/null"]);
lines = strsplit (all, "\n");
words = 'multiplot>|gnuplot>|invalid command|^failed|^\s*error|^warning: .*gnuplot';
bad = cellfun (@(x) ! isempty (regexp (x, words, "once")), lines);
if isempty (strfind (all, "at the end")), bad(:) = true; endif
said = strjoin (lines(bad), "\n");
end
