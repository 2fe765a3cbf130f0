% omniglot.tst: attnpath_omniglot, its generator and its download. Every file that is read or fetched here is made
% here, but for the blocks that begin with "real": they use ../shared/omniglot beside the project, and are skipped without it.

%!function content = made_up ()                          % the data set's variables, from the generator
%!  pages = attnpath_omniglot ("generator", "Classes", 6).images;
%!  for a = 1:2
%!    for c = 1:3
%!      page = pages(:,:,:,(a-1)*3+c);
%!      content.images{a,1}{c,1} = squeeze (num2cell (page, [1 2]));
%!    endfor
%!    content.names{a,1} = sprintf ("Alphabet %d", a);
%!  endfor
%!endfunction

%!function save_as (content, file)
%!  save ("-v7", file, "-struct", "content");
%!endfunction

%!shared folder, gone_at_end                            % a failure prints what is shared: no images
%! [folder, gone_at_end] = scratch ();
%! save_as (made_up (), fullfile (folder, "data_background.mat"));

%!function refusal (id, names, varargin)                 % this call ends with this error, which has these names
%!  refuses (["omniglot:" id], @() attnpath_omniglot (varargin{:}), names);
%!endfunction

%!function refused_file (content, name)                  % the error about a file of these variables has this name
%!  [folder, gone] = scratch ();
%!  save_as (content, fullfile (folder, "data_evaluation.mat"));
%!  refusal ("badFile", name, "evaluation", "Folder", folder);
%!endfunction

%!function s = state (folder)                            % names, sizes and contents
%!  s = dir (folder);
%!  s = s(! [s.isdir]);
%!  s = [{s.name}', {s.bytes}', cellfun(@(f) {hash("md5", fileread (fullfile (folder, f)))}, {s.name}')];
%!endfunction

%!test % a file in the data set's form: shapes, order, names, and nothing written
%! before = state (folder);
%! data = attnpath_omniglot ("background", "Folder", folder);
%! assert ({size(data.images), class(data.images)}, {[105 105 20 6], "logical"});
%! assert ({data.alphabet, data.character}, {{"Alphabet 1"; "Alphabet 2"}([1 1 1 2 2 2]), [1; 2; 3; 1; 2; 3]});
%! assert ({data.source, data.file}, {"data_background.mat", fullfile(folder, "data_background.mat")});
%! assert (data.images(:,:,17,5), made_up ().images{2}{2}{17});
%! assert (state (folder), before);

%!test % the first classes; one too many is refused with both numbers
%! data = attnpath_omniglot ("Background", "Folder", folder, "Classes", 4);
%! assert (size (data.images), [105 105 20 4]);
%! assert ({size(data.alphabet), data.character}, {[4 1], [1; 2; 3; 1]});
%! refusal ("tooFew", {"6", "7"}, "background", "Folder", folder, "Classes", 7);

%!test % the folder by the environment; an argument goes before it
%! back = with_env ("ATTNPATH_OMNIGLOT", folder);
%! data = attnpath_omniglot ("background");
%! assert (size (data.images, 4), 6);
%! refusal ("noFile", "", "background", "Folder", tempname ());

%!test % pixels as numbers do as well
%! content = made_up ();
%! content.images{1}{1}{3} = uint8 (content.images{1}{1}{3});
%! content.images{2}{1} = cellfun (@double, content.images{2}{1}, "UniformOutput", false);
%! [other, too] = scratch ();
%! save_as (content, fullfile (other, "data_evaluation.mat"));
%! data = attnpath_omniglot ("evaluation", "Folder", other);
%! assert (data.images, attnpath_omniglot ("background", "Folder", folder).images);

%!test % files that are not whole: cut at many places, empty, text; each is refused by name, and left as it was
%! [other, too] = scratch ();
%! file = fullfile (other, "data_evaluation.mat");
%! whole = fileread (fullfile (folder, "data_background.mat"));
%! for part = {whole(1:end/2), whole(1:end-1), whole(1:200), whole(1:130), whole(1:128), "", "1 2 3\n", "Not Found"}
%!   file_bytes (file, part{1});
%!   refusal ("badFile", file, "evaluation", "Folder", other);
%!   assert ([fileread(file) "."], [part{1} "."]);
%! endfor

%!test % whole files of something else
%! refused_file (struct ("other", 3), "images and names");
%! refused_file (struct ("images", 3, "names", 4), "3 and 4");
%! refused_file (struct ("images", {{}}, "names", {{}}), "");
%! for wrong = {"names", {"one"}; "names", {1; 2}; "images", {1; 2}}'
%!   refused_file (setfield (made_up (), wrong{:}), "");
%! endfor

%!test % one wrong drawing among many: which one, and both sizes
%! bad = made_up ();
%! for wrong = {true(28, 28), {"Alphabet 2, character 3, drawing 7", "105 x 105", "28 x 28"}; true(105, 210), "105 x 210"
%!              "text", ""; 0.5 * ones(105), "0 or 1"}'
%!   bad.images{2}{3}{7} = wrong{1};
%!   refused_file (bad, wrong{2});
%! endfor
%! bad.images{2}{3} = made_up ().images{2}{3}(1:19);
%! refused_file (bad, {"20", "19 x 1"});

%!test % ink where paper should be
%! bad = made_up ();
%! for a = 1:2, for c = 1:3
%!   bad.images{a}{c} = cellfun (@not, bad.images{a}{c}, "UniformOutput", false);
%! endfor, endfor
%! refused_file (bad, "ink");

%!test % no file anywhere: the message says where it was looked for, and what can be done
%! back = with_env ("ATTNPATH_OMNIGLOT", "/nowhere/a", "XDG_CACHE_HOME", "/nowhere/b", "LOCALAPPDATA", "/nowhere/b");
%! refusal ("noFile", {"data_background_small2.mat", "/nowhere/a", fullfile("/nowhere/b", "attnpath"), "'Folder'", ...
%!                     "ATTNPATH_OMNIGLOT", "https://raw.githubusercontent.com/brendenlake/omniglot/", ...
%!                     "'Download', true", "attnpath_omniglot ('generator')"}, "small2");

%!testif ; ! ispc ()
%! % where the cache is
%! back = with_env ("XDG_CACHE_HOME", "/some/cache", "HOME", "/some/home");
%! folders{1} = in_private (@() ap_cache_folder ());
%! setenv ("XDG_CACHE_HOME", "");
%! folders{2} = in_private (@() ap_cache_folder ());
%! setenv ("HOME", "");
%! folders{3} = in_private (@() ap_cache_folder ());
%! assert (folders, {"/some/cache/attnpath", "/some/home/.cache/attnpath", ""});
%! refusal ("file", "", "small1", "Download", true, "Folder", "/nowhere");

%!test % fetched into the cache, once; from there it is read, also when the source is gone
%! [cache, gone] = scratch ("cache");
%! back = with_env ("XDG_CACHE_HOME", cache, "LOCALAPPDATA", cache, "ATTNPATH_OMNIGLOT", "");
%! before = state (folder);
%! data = attnpath_omniglot ("background", "Download", true, "Address", ["file://" folder "/"]);
%! again = attnpath_omniglot ("background", "Download", true, "Address", "file:///nowhere");
%! alone = attnpath_omniglot ("background");
%! assert ({state(fullfile (cache, "attnpath")), state(folder)}, {before, before});
%! assert (data.file, fullfile (cache, "attnpath", "data_background.mat"));
%! assert ({data, data}, {again, alone});
%! assert (data.images, attnpath_omniglot ("background", "Folder", folder).images);

%!test % no network, a file that is cut, a page in its place, a name of small1 with other bytes: nothing is kept
%! [cache, gone] = scratch ("cache");
%! [other, too] = scratch ();
%! back = with_env ("XDG_CACHE_HOME", cache, "LOCALAPPDATA", cache, "ATTNPATH_OMNIGLOT", "");
%! ask = {"Download", true, "Address", ["file://" other]};
%! refusal ("noNetwork", {"data_background.mat", fullfile(cache, "attnpath")}, "background", ask{:});
%! whole = fileread (fullfile (folder, "data_background.mat"));
%! file_bytes (fullfile (other, "data_background.mat"), whole(1:end/2));
%! file_bytes (fullfile (other, "data_background_small1.mat"), whole(1:end/2));
%! refusal ("badFile", ["file://" other "/data_background.mat"], "background", ask{:});
%! refusal ("badDownload", {sprintf("%d bytes", floor (numel (whole) / 2)), "2562343"}, "small1", ask{:});
%! assert (isempty (state (fullfile (cache, "attnpath"))));

%!test % the right size and the wrong contents; what is there already is left alone
%! [other, gone] = scratch ();
%! url = ["file://" fullfile(folder, "data_background.mat")];
%! bytes = dir (fullfile (folder, "data_background.mat")).bytes;
%! digest = in_private (@() ap_sha256 (fileread (fullfile (folder, "data_background.mat"))));
%! target = fullfile (other, "new", "file.mat");
%! fetch = @(digest) in_private (@() ap_download ("omniglot", url, target, bytes, digest, @(name) 0));
%! refuses ("omniglot:badDownload", @() fetch (repmat ("0", 1, 64)), digest);
%! assert (isempty (state (fullfile (other, "new"))));
%! fetch (digest);
%! assert (state (fullfile (other, "new"))(1:2), {"file.mat", bytes});
%! file_bytes (target, "mine");
%! fetch (digest);
%! assert (fileread (target), "mine");

%!test % SHA-256 of "abc", from FIPS 180-4, and of nothing
%! digests = in_private (@() {ap_sha256("abc"), ap_sha256("")});
%! assert (digests, {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", ...
%!                   "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"});

%!test % the generator: shapes, names, one seed one set, more classes extend it
%! data = attnpath_omniglot ("generator", "Classes", 5);
%! assert ({size(data.images), class(data.images)}, {[105 105 20 5], "logical"});
%! assert ({data.alphabet, data.character}, {repmat({"generator"}, 5, 1), (1:5)'});
%! assert ({data.source, data.file}, {"generator, seed 1", ""});
%! assert (attnpath_omniglot ("generator", "Classes", 5), data);
%! assert (attnpath_omniglot ("generator", "Classes", 3).images, data.images(:,:,:,1:3));
%! other = attnpath_omniglot ("generator", "Classes", 5, "Seed", 2);
%! assert (other.source, "generator, seed 2");
%! assert (any (all (reshape (other.images == data.images, [], 5))), false);

%!test % like handwriting: dark strokes on paper, off the edge, no drawing twice, a class more like itself than another
%! images = attnpath_omniglot ("generator").images;
%! assert (size (images), [105 105 20 100]);
%! ink = squeeze (sum (sum (! images, 1), 2));
%! assert (min (ink(:)) > 100 && max (ink(:)) < 2500);     % of 11025 pixels; Omniglot's small1 has 193 to 2078
%! assert (mean (ink(:)) > 400 && mean (ink(:)) < 1000);   % and 841 in the mean
%! flat = reshape (images, 105 ^ 2, []);
%! assert (rows (unique (flat(:,1:400)', "rows")), 400);
%! % pixels averaged in squares of 7: how often is the nearest of the other drawings of the same class? Chance and 5
%! % standard errors are 19 / 1999 + 0.011; of 100 classes of Omniglot it is 0.43
%! coarse = reshape (sum (sum (reshape (double (images), 7, 15, 7, 15, 2000), 1), 3), 225, 2000);
%! d = sum (coarse .^ 2, 1)' + sum (coarse .^ 2, 1) - 2 * (coarse' * coarse) + diag (Inf (2000, 1));
%! [~, nearest] = min (d);
%! assert (mean (ceil (nearest / 20) == ceil ((1:2000) / 20)) > 0.2);

%!test % the user's own random numbers run on as if nothing had happened
%! keeps_generators (@() attnpath_omniglot ("generator", "Classes", 2));

%!test % what is refused, with which identifier
%! for call = {"badValue", {"omniglot"}, {"set", "'omniglot'"}; "badClass", {3}, {"set", "3"}; "nameValue", {"generator", "Seed"}, ""}'
%!   refusal (call{1}, call{3}, call{2}{:});
%! endfor
%! refused ("omniglot", @(varargin) attnpath_omniglot ("generator", varargin{:}), { ...
%!          "badClass", "Folder", {3}; "badClass", "Address", {{}}; "badClass", "Download", {"yes"}
%!          "badValue", "Classes", {0, 1.5}; "badClass", "Classes", {"all"}; "empty", "Classes", {zeros(0, 1)}
%!          "badValue", "Seed", {-1}; "unknownOption", "Drawings", {3}});

%!error id=attnpath:omniglot:usage attnpath_omniglot ()

%!testif ; thorough () && ! isempty (real_folder ())
%! % real: class counts, that the two small sets share Greek and Latin, size and SHA-256 as recorded
%! real = real_folder ();
%! one = attnpath_omniglot ("small1", "Folder", real);
%! two = attnpath_omniglot ("small2", "Folder", real);
%! assert ({size(one.images), size(two.images)}, {[105 105 20 136], [105 105 20 156]});
%! assert (one.source, "data_background_small1.mat");
%! [names, ~, of] = unique (one.alphabet);
%! assert (names, {"Balinese"; "Early Aramaic"; "Greek"; "Korean"; "Latin"});
%! assert (accumarray (of(:), 1), [24; 22; 24; 40; 26]);
%! [names, ~, of] = unique (two.alphabet);
%! assert (names, {"Greek"; "Japanese (katakana)"; "Latin"; "Sanskrit"; "Tagalog"});
%! assert (accumarray (of(:), 1), [24; 47; 26; 42; 17]);
%! for name = {"Greek", "Latin"}
%!   a = strcmp (one.alphabet, name{1});
%!   b = strcmp (two.alphabet, name{1});
%!   assert (one.images(:,:,:,a), two.images(:,:,:,b));
%! endfor
%! % ones are paper
%! assert (nnz (one.images) / numel (one.images) > 0.9);

%!testif ; thorough () && ! isempty (real_folder ())
%! % real: a download of small1 and small2 is accepted as whole
%! real = real_folder ();
%! real = canonicalize_file_name (real);
%! [cache, gone] = scratch ("cache");
%! back = with_env ("XDG_CACHE_HOME", cache, "LOCALAPPDATA", cache, "ATTNPATH_OMNIGLOT", "");
%! for set = {"small1", "small2"}
%!   data = attnpath_omniglot (set{1}, "Download", true, "Address", ["file://" real]);
%!   assert (data.file, fullfile (cache, "attnpath", data.source));
%! endfor
