function text = without_progress (text)
% WITHOUT_PROGRESS  What calls have printed, less their lines of progress, which come after seconds: how many there are
% depends on the load of the machine. They begin with the name of the function, attnpath_solve: or another.
text = regexprep (text, '(^|(?<=\n))(\r?attnpath_\w+: [^\r\n]*)+\n', '');
end
