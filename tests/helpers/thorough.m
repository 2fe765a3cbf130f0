function yes = thorough ()
% THOROUGH  False in `make check`, which leaves out the blocks of tests that begin with "%!testif ; thorough ()".
yes = ~strcmp (getenv ('ATTNPATH_TESTS'), 'quick');
end
