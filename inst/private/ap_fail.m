function ap_fail (fname, what, format, varargin)
%AP_FAIL  Raise attnpath:<fname>:<what> with the caller's name before the sentence.
%
%   AP_FAIL (fname, what, format, ...)
%   Inputs :  fname, stem of the calling function;  what, last part of the id, one of those below;
%             format, ... as for sprintf; a value in braces, {x}, becomes its description, ap_describe (x)
%   Example:  ap_fail ('net', 'badValue', 'width %d is %g, it must be positive', l, width(l));
%
%   The last parts of ids, which functions and gateways share. Warnings are marked (w).
%   How a function is called
%   usage                wrong number of inputs or outputs
%   nameValue            options are neither name-value pairs nor one struct
%   unknownOption        no option has this name
%   One value
%   badClass             the class is wrong, such as text or int8 where double is wanted
%   sparse               a sparse array, where a full one is wanted
%   notReal              a complex array
%   empty                an empty array or cell
%   badShape             the size is wrong
%   notFinite            NaN or Inf, also as the result of a computation
%   badValue             out of its range: not an integer, not one of the words, not a flag, outside its bounds, or
%                        at odds with another argument or option
%   notSymmetric         a matrix that must be symmetric is not
%   notPositiveDefinite  a matrix that must be positive (semi)definite is not
%   notStationary        order parameters at which the action of this network and training set is not stationary
%   badSum               a column of attention does not sum to 1
%   missingField         a struct has not all the fields that it needs
%   unknownField         a field whose name is that of one that is read, but for upper and lower case
%   badTask              no task: not what a function attnpath_task_ returns, or at odds with itself
%   outputs              several outputs, where a function takes one
%   tooFew               fewer draws, classes, examples of a class or drawings than are needed
%   manyPaths            so many paths that what follows takes hours
%   tooLarge             more memory than is allowed, or than can be counted
%   outOfMemory          memory that the system did not give
%   Attention
%   noHeads              the network holds numbers of heads only: attention cannot be computed
%   learnedHeads         a sample of heads, where one network's are wanted
%   brought              attention was brought by the user: it cannot be computed for new tokens
%   Data in parts
%   badSource            what should give the parts of a data set does not
%   samePart             a part comes twice
%   otherNet             moments or path inputs that belong to another network
%   Files
%   file                 a file cannot be opened, read or written
%   noFile               a file that should be there is not
%   badFile              a file has wrong contents
%   noNetwork            a download failed
%   badDownload          a download gave something else than the file wanted
%   badCheckpoint        a file that is no checkpoint, or a damaged one
%   inUse                a checkpoint that another process is at work on; (w) or may be, on another host
%   otherRun             a checkpoint that belongs to another run, or a folder that belongs to another sweep
%   Runs
%   failed               (w) cells of a sweep failed
%   warned               (w) cells of a sweep gave warnings
%   missing              (w) cells of a sweep are not there yet
%   noWorker             a process of a sweep could not be started
%   interrupted          (w) Ctrl-C ended a run: the result is what was done until then; an error if that is nothing
%   notConverged         (w) a result that is not to be trusted yet
%   bound                (w) the best value of a hyperparameter is at the end of its range
%   disagree             (w) two ways of choosing hyperparameters choose differently
%   padding              (w) examples that seem to end with padding, given without lengths
%   noise                (w) the temperature is so large that the answer is nearly zero
%   scale                (w) labels are much larger than those of the prior, and predictions may be worse
%   rounding             (w) square moments are too coarse for the order parameter found
%   oneExample           (w) labels that count as the outputs of one example, whose tokens are as many
%   realLabels           (w) labels that may be classes are used as numbers
%   saddle               (w) the action has a direction downwards
%   undecided            (w) double precision does not decide whether it has one
%   oldOption            (w) an option that has been replaced, and is still taken
%   seen                 (w) leave-one-out predictions are so good that a transformer may have memorised the examples
%   copies               (w) many examples are copies of others, from which leave-one-out knows their labels
%   unreliable           (w) a number among the results is not to be trusted
%   diverged             (w) the loss of training grew without bound
%   decayed              (w) all weights of a training have decayed to zero
%   The machine
%   noGateways           the gateways are not built, or not on the path
%   noGraphics           this Octave has nothing to draw with
%   lapack               LAPACK failed where it should not. This and the next should not occur
%   blasInteger          the BLAS that was linked has integers of another width

% SPDX-License-Identifier: BSD-3-Clause

for k = 1:numel (varargin)
  if iscell (varargin{k}), varargin{k} = ap_describe (varargin{k}{1}); end
end
error (['attnpath:' fname ':' what], ['attnpath_%s: ' format], fname, varargin{:});
end
