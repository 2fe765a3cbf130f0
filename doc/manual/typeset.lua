-- typeset.lua: a filter of pandoc's that typesets the equations of doc/theory.md.
-- There they are plain text, to be read in a terminal: sum_mu, U_{l+1}^{-1}, sqrt(N0), A (x) B. An indented block is
-- equations, a row for each line, with the number (T7) at its right; words such as U_l, or runs of them such as
-- "A = K + T I", are formulas in the text. Everything becomes TeX, and pandoc makes MathML of it.

local greek = {}
for name in ([[alpha beta gamma delta eps epsilon theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega Gamma
               Delta Theta Lambda Xi Pi Sigma Phi Psi Omega]]):gmatch('%a+') do greek[name] = '\\' .. name end
greek.eps, greek.infinity = '\\epsilon', '\\infty'
local operators = {}
for name in ('log det exp tr ptr diag Var triu min max sign vec grad'):gmatch('%a+') do
  operators[name] = '\\operatorname{' .. name .. '}'
end
operators.log, operators.det, operators.exp, operators.grad = '\\log', '\\det', '\\exp', '\\nabla'
operators.min, operators.max = '\\min', '\\max'
local big = {sum = '\\sum', prod = '\\prod', int = '\\int'}

local tex

local function bracket (s, at, open, close) -- where the bracket that opens at `at` is closed
  local depth = 0
  for k = at, #s do
    local c = s:sub (k, k)
    if c == open then depth = depth + 1 elseif c == close then depth = depth - 1 end
    if depth == 0 then return k end
  end
end

local function symbol (word)
  if greek[word] then return greek[word] end
  if big[word] then return big[word] end
  if operators[word] then return operators[word] end
  if #word == 1 then return word end
  local letter, digits = word:match ('^(%a)(%d+)$')
  if letter then return letter .. '_{' .. digits .. '}' end
  local of = word:match ('^d(%a+)$')
  if of and (#of == 1 or greek[of]) then return 'd' .. (greek[of] or of) .. ' ' end
  if word == 'Zz' or word == 'ii' or word == 'ij' or word == 'ia' or word == 'ib' or word == 'ee' or word == 'uu'
     or word == 'cc' then
    return word
  end
  return '\\text{' .. word .. '}'
end

local function scripts (s, at) -- scripts and primes behind a symbol: as TeX, and what follows
  local below, above = '', ''
  while true do
    local c = s:sub (at, at)
    if c == "'" then
      above = above .. '\\prime '
      at = at + 1
    elseif (c == '_' or c == '^') and s:sub (at + 1, at + 2):match ('^[%w{%-+]') then
      local content
      if s:sub (at + 1, at + 1) == '{' then
        local close = bracket (s, at + 1, '{', '}')
        if not close then break end
        content = tex (s:sub (at + 2, close - 1))
        at = close + 1
      else
        local word = s:match ('^%-?%d+', at + 1) or s:match ('^%a+', at + 1) or s:match ('^[+-]', at + 1)
        if not word then break end
        content = tex (word)
        at = at + 1 + #word
      end
      if c == '_' then below = below .. content else above = above .. content end
    else
      break
    end
  end
  return (below ~= '' and '_{' .. below .. '}' or '') .. (above ~= '' and '^{' .. above .. '}' or ''), at
end

local fixed = {{' (x) ', '\\otimes '}, {'<->', '\\leftrightarrow '}, {'->', '\\to '}, {'<=', '\\le '}, {'>=', '\\ge '},
               {'+-', '\\pm '}, {'...', '\\ldots '}, {' .. ', '\\ldots '}, {'..', '\\ldots '}, {':=', ':= '},
               {'~', '\\sim '}, {'*', '\\,'}, {' . ', '\\cdot '}, {'%', '\\%'}, {'&', '\\&'}, {'#', '\\#'}}

function tex (s)
  local out, at = {}, 1
  while at <= #s do
    local rest = s:sub (at)
    local piece
    for _, pair in ipairs (fixed) do
      if rest:sub (1, #pair[1]) == pair[1] and not (pair[1] == ' (x) ' and rest:match ('^ %(x%) [=<]')) then
        piece, at = pair[2], at + #pair[1]
        break
      end
    end
    if not piece then
      local before = s:sub (1, at - 1)
      local size = rest:match ('^x (%S)')
      local number, power = rest:match ('^(%d[%d.]*)e(%-?%d+)')
      if number then
        piece = number .. '\\cdot 10^{' .. power .. '}'
        at = at + #rest:match ('^%d[%d.]*e%-?%d+')
      elseif size and (size:match ('[%u%d(]') or rest:match ('^x %a_') or rest:match ('^x %a%)')) and before:match ('[%w}%])] $') and before ~= '' then
        piece, at = '\\times ', at + 2
      elseif rest:match ('^%(T%d+b?%)') then -- another equation
        local name = rest:match ('^%(T%d+b?%)')
        piece, at = '\\text{' .. name .. '}', at + #name
      elseif rest:match ('^sqrt ?%(') then
        local open = rest:find ('(', 1, true)
        local close = bracket (rest, open, '(', ')')
        if close then
          piece = '\\sqrt{' .. tex (rest:sub (open + 1, close - 1)) .. '}'
          at = at + close
        else
          piece, at = '\\text{sqrt}', at + 4
        end
      elseif rest:match ('^%a') then
        local word = rest:match ('^%a%d+') or rest:match ('^%a+')
        local script
        script, at = scripts (s, at + #word)
        local letter, digits = word:match ('^(%a)(%d+)$')
        if letter then
          piece = letter .. '_{' .. digits .. '}' .. script
        else
          piece = symbol (word) .. script .. ' '
        end
        if piece:match ('^\\text') then -- the blanks around a word are part of it
          if before:match ('[%w%)%]}] $') then piece = piece:gsub ('^\\text{', '\\text{ ') end
          if s:match ('^ [%w(]', at) then piece = piece:gsub ('} $', ' } ') end
        end
      elseif rest:match ('^%d') then
        local number = rest:match ('^%d[%d]*%.%d+') or rest:match ('^%d+')
        local script
        script, at = scripts (s, at + #number)
        piece = number .. script
      elseif rest:match ('^[%)%]]') then
        local script
        script, at = scripts (s, at + 1)
        piece = rest:sub (1, 1) .. script .. ' '
      elseif rest:match ('^<%a') then
        piece, at = '\\langle ', at + 1
      elseif rest:match ('^>') and before:match ('[%w)]$') then
        piece, at = '\\rangle ', at + 1
      elseif rest:match ('^|') then
        local script
        script, at = scripts (s, at + 1)
        piece = '|' .. script .. ' '
      elseif rest:match ('^[{}]') then
        piece, at = '\\' .. rest:sub (1, 1), at + 1
      elseif rest:match ('^ %d') and before:match ('[%w%)%]}]$') then
        piece, at = '\\ ', at + 1
      elseif rest:match ('^%s+') then
        local blank = rest:match ('^%s+')
        piece, at = #blank > 1 and '\\quad ' or ' ', at + #blank
      elseif rest:match ("^['_^]") then
        piece, at = rest:sub (1, 1) == "'" and '^{\\prime}' or '\\' .. rest:sub (1, 1), at + 1
      else
        piece, at = rest:sub (1, 1), at + 1
      end
    end
    out[#out + 1] = piece
  end
  return table.concat (out)
end

-- ---- blocks of equations ----------------------------------------------------------------------------------------------

local numbered = {} -- equations that have an anchor

local function number (label)
  local id = label:match ('T%d+b?')
  local mark = pandoc.Span ({pandoc.Str ('(' .. label .. ')')}, pandoc.Attr ('', {'number'}))
  if id and not numbered[id] then
    numbered[id] = true
    mark.identifier = id
  end
  return mark
end

local function line (text, base)
  local indent, body = text:match ('^(%s*)(.-)%s*$')
  if body == '' then return nil end
  local formula, label = body:match ('^(.-)%s+%((T%d+b?)%)$')
  if not formula then formula, label = body:match ('^(.-)%s+%(([%a%-]+ [%a%-]+,? [TN]%d+)%)$') end
  if not formula then formula, label = body:match ('^(.-)%s+%(([%a%-]+ [%a%-]+ ?[%a%-]*, T%d+)%)$') end
  local words
  formula = formula or body
  local f, w = formula:match ('^(.-[%w%)%]}\'])%s%s+(%a%a%a* .*)$') -- words behind the formula
  if f and not w:match ('[=~]') then formula, words = f, w end
  local row = {pandoc.Span ({pandoc.Math ('DisplayMath', tex (formula))}, pandoc.Attr ('', {'formula'},
               {style = 'padding-left:' .. (#indent - base) * 0.5 .. 'em'}))}
  if words then row[#row + 1] = pandoc.Span ({pandoc.Str (words)}, pandoc.Attr ('', {'words'})) end
  if label then row[#row + 1] = number (label) end
  return pandoc.Div ({pandoc.Plain (row)}, pandoc.Attr ('', {'equation'}))
end

function CodeBlock (block)
  if #block.classes > 0 then return nil end
  local rows = {}
  for text in (block.text .. '\n'):gmatch ('(.-)\n') do rows[#rows + 1] = line (text, 0) end
  return pandoc.Div (rows, pandoc.Attr ('', {'equations'}))
end

-- ---- formulas in the text ---------------------------------------------------------------------------------------------

local signs = {}
for sign in ('= + - / < > <= >= ~ * -> (x) .. . | := x'):gmatch ('%S+') do signs[sign] = true end

local function strip (word) -- what is around the formula in a word: brackets and punctuation
  local left, core, right = word:match ('^([%(%[]*)(.-)([%)%],;:.]*)$')
  return left, core, right
end

local function kind (word)
  if word:match ('^%(T%d') or word:match ('%-%a%a%a') or word:match ("[%w%)]'[st]$") then return 'text' end
  if word:match ('^%[%u%u') or word:match ('^%a+:/') then return 'text' end
  if signs[word] then return 'sign' end
  if word:match ('^[%(%)%[%],;:.]+$') and word:match ('[%(%)%[%]]') then return 'bracket' end
  local _, core = strip (word)
  if core == '' then return signs[word] and 'sign' or 'text' end
  if core:match ('[%w%)%]}][_^][%w{%-+]') then return 'strong' end
  local plain = core:gsub ("'+$", '')
  if greek[plain] or plain == 'N0' then return 'strong' end
  if core:match ('^<%a.*>$') then return 'strong' end
  if core:match ('^%-?%d[%d.]*$') or core:match ('^%d[%d.]*e%-?%d+$') then return 'number' end
  if plain:match ('^%-%a$') or plain:match ('^%d+%a$') then return 'letter' end
  if plain:match ('^%a$') then
    if plain == 'a' then return 'article' end
    if core == 'A' then return 'article' end
    return 'letter'
  end
  if operators[core] or big[core] then return 'operator' end
  if core:match ('^%a%(') and core:match ('%)$') then return 'strong' end -- K(U
  if core:match ('^%u/%u$') or core:match ('^%u%u?/%a$') or core:match ('^%d?%a/%d$') then return 'strong' end
  for part in core:gmatch ('%a+') do -- products such as 1/Pi or y'y
    if not (greek[part] or operators[part] or big[part] or #part == 1 or part == 'sqrt') then return 'text' end
  end
  if (core:match ('[=/\'%(|+,]') or core:match ('%.%.')) and core:match ('%a') then return 'strong' end
  return 'text'
end

local function balanced (s)
  local depth = 0
  for c in s:gmatch ('[%(%)%[%]]') do
    depth = depth + ((c == '(' or c == '[') and 1 or -1)
    if depth < 0 then return false end
  end
  return depth == 0
end

local function formula (words) -- a run of words, as inlines
  local s = table.concat (words, ' ')
  local left, right = '', ''
  local tail = s:match ('[,;:.]+$')
  if tail then s, right = s:sub (1, #s - #tail), tail end
  while not balanced (s) do
    if s:match ('^[%(%[]') then
      left, s = left .. s:sub (1, 1), s:sub (2)
    elseif s:match ('[%)%],.;:]$') then
      right, s = s:sub (-1) .. right, s:sub (1, -2)
    else
      return nil
    end
  end
  if right:match ('^,') then s, right = s .. ',', right:sub (2) end -- so that no line begins with it
  local out = {}
  if left ~= '' then out[1] = pandoc.Str (left) end
  out[#out + 1] = pandoc.Math ('InlineMath', tex (s))
  if right ~= '' then out[#out + 1] = pandoc.Str (right) end
  return out
end

-- Up to where the words of a run, from one on, are a formula: before the word whose bracket nothing in the run closes,
-- and up to the word that closes what the run has not opened
local function whole (run, from)
  local open = {}
  for k = from, #run do
    for c in run[k]:gmatch ('[%(%)%[%]]') do
      if c == '(' or c == '[' then
        open[#open + 1] = k
      elseif #open > 0 then
        open[#open] = nil
      else
        return k
      end
    end
    if #open == 0 and run[k]:match (',$') then return k end
  end
  if #open > 0 and open[1] > from then return open[1] - 1 end
  return #run
end

local function piece (put, run) -- a run as inlines: signs at its ends belong to the text
  local from, to = 1, #run
  while from <= to and (kind (run[from]) == 'sign' or kind (run[from]) == 'article') do from = from + 1 end
  while to >= from and kind (run[to]) == 'sign' do to = to - 1 end
  if #run == 1 and run[1] == 'x' then from, to = 1, 1 end
  local math = from == 1 and to == 1 and run[1] == 'x'
  for k = from, to do
    local what = kind (run[k])
    if what == 'strong' or what == 'letter' then math = true end
  end
  local done = math and formula ({table.unpack (run, from, to)})
  local first = true
  local function word (item)
    if not first then put (pandoc.Space ()) end
    first = false
    put (item)
  end
  if not done then from, to = #run + 1, #run end
  local function other (k)
    if run[k] ~= 'x' then return pandoc.Str (run[k]) end
    local size = k > 1 and run[k+1] and run[k+1]:match ('^[%u%d(]')
    return size and pandoc.Str ('×') or pandoc.Math ('InlineMath', 'x')
  end
  for k = 1, from - 1 do word (other (k)) end
  for k, item in ipairs (done or {}) do
    if k == 1 then word (item) else put (item) end
  end
  for k = to + 1, #run do word (other (k)) end
end

function Inlines (list)
  local out, run = pandoc.List ({}), {}
  local function put (item) out:insert (item) end
  local function flush () -- the run, in pieces whose brackets close
    local from = 1
    while from <= #run do
      local to = whole (run, from)
      piece (put, {table.unpack (run, from, to)})
      if to < #run then put (pandoc.Space ()) end
      from = to + 1
    end
    run = {}
  end
  local pending = nil -- a space between the run and what comes
  for _, item in ipairs (list) do
    if item.t == 'Str' then
      local what = kind (item.text)
      local member = what == 'strong' or what == 'letter' or what == 'number' or what == 'sign' or what == 'operator'
                     or what == 'bracket'
                     or (what == 'article' and #run > 0 and (signs[run[#run]] or operators[run[#run]]))
      if item.text:match ('^s[%),.;:]*$') and #run > 0 and kind (run[#run]) == 'number' then member = false end -- seconds
      if what == 'article' and item.text == 'A' and #run == 0 then member = true end
      if member then
        if #run > 0 and not pending then run[#run] = run[#run] .. item.text else run[#run + 1] = item.text end
        pending = nil
        if item.text:match ('.[.;:]$') and not item.text:match ('%.%.$') then flush () end
      elseif item.text:match ("^.+'s$") and kind (item.text:sub (1, -3)) == 'strong' then -- A_l's
        if #run > 0 then flush () end
        if pending then put (pending) pending = nil end
        put (pandoc.Math ('InlineMath', tex (item.text:sub (1, -3))))
        put (pandoc.Str ('’s'))
      else
        if #run > 0 then flush () end
        if pending then put (pending) pending = nil end
        put (item)
      end
    elseif item.t == 'Space' or item.t == 'SoftBreak' then
      if #run > 0 then
        if pending then put (pending) end
        pending = item
      else
        if pending then put (pending) end
        pending = nil
        put (item)
      end
    else
      if #run > 0 then flush () end
      if pending then put (pending) pending = nil end
      put (item)
    end
  end
  if #run > 0 then flush () end
  if pending then put (pending) end
  return out
end

typeset = {tex = tex, greek = greek} -- for help.lua
return {{CodeBlock = CodeBlock}, {Inlines = Inlines}}
