function [text, id] = own_warning ()
% OWN_WARNING  The last warning, if it was this package's, and '' if it was not: Octave 11 keeps in lastwarn what was
% disabled as well, and functions of its own warn in that way.
[text, id] = lastwarn ();
if ~strncmp (id, 'attnpath:', 9)
  text = '';
  id = '';
end
end
