-- help.lua: a reader of pandoc's for the help text of a function, as `make manual` writes it without the % signs: the
-- skeleton that all public functions share. Tables of inputs, options and outputs become lists of terms, examples code.

dofile ('doc/manual/typeset.lua')

local function symbol (word) -- U_l, V_l^h and the like as a formula, or nil: no names such as hessian_min
  local left, core, right = word:match ('^([%(%[{]*)(.-)([%)%]},;:.]*)$')
  local base = core:match ("^(%a+)'*[_^][%w{]")
  if not base or not (#base == 1 or typeset.greek[base]) or core:match ('%a%a_%a%a%a') then return nil end
  while select (2, core:gsub ('{', '')) > select (2, core:gsub ('}', '')) and right:match ('^}') do
    core, right = core .. '}', right:sub (2)
  end
  return left, pandoc.Math ('InlineMath', typeset.tex (core)), right
end

local function words (text) -- inlines: names of functions are links, and equations too
  local out = pandoc.List ({})
  local first = true
  for word in text:gmatch ('%S+') do
    if not first then out:insert (pandoc.Space ()) end
    first = false
    local left, name, right = word:match ('^(.-)(attnpath_[a-z_]+)(.*)$')
    local upto, equation, after = word:match ('^(.-)%((T%d+b?)%)(.*)$')
    local a, quoted, z = word:match ("^([%(%[{]*)('[^' ]*')([%)%]},;:.]*)$")
    local before, formula, behind = symbol (word)
    if formula then
      if before ~= '' then out:insert (pandoc.Str (before)) end
      out:insert (formula)
      if behind ~= '' then out:insert (pandoc.Str (behind)) end
    elseif name and linked[name] and name ~= this then
      if left ~= '' then out:insert (pandoc.Str (left)) end
      out:insert (pandoc.Link ({pandoc.Code (name)}, name .. '.html'))
      if right ~= '' then out:insert (pandoc.Str (right)) end
    elseif equation then
      if upto ~= '' then out:insert (pandoc.Str (upto)) end
      out:insert (pandoc.Link ({pandoc.Str ('(' .. equation .. ')')}, 'theory.html#' .. equation))
      if after ~= '' then out:insert (pandoc.Str (after)) end
    elseif quoted then
      if a ~= '' then out:insert (pandoc.Str (a)) end
      out:insert (pandoc.Code (quoted))
      if z ~= '' then out:insert (pandoc.Str (z)) end
    elseif word:match ('^theory%.md[.,;]*$') then
      out:insert (pandoc.Link ({pandoc.Str ('the theory')}, 'theory.html'))
      out:insert (pandoc.Str (word:match ('[.,;]*$')))
    else
      out:insert (pandoc.Str (word))
    end
  end
  return out
end

local function indent (line) return #line:match ('^ *') end
local function code (lines) -- without the indentation that all of them have
  local least = 99
  for _, l in ipairs (lines) do
    if l:match ('%S') then least = math.min (least, indent (l)) end
  end
  local out = {}
  for _, l in ipairs (lines) do out[#out + 1] = l:sub (least + 1) end
  return (table.concat (out, '\n'):gsub ('%s+$', ''))
end

-- Rows {term, default, paragraphs of text} of lines that are indented by `base`, or nil if they are no table
local function entries (lines, base)
  local rows, last = {}, ''
  for _, l in ipairs (lines) do
    local at = indent (l)
    if at == base then
      local term, text = l:match ('^%s*(%S.-)%s%s+(%S.*)$')
      if l:match ("^%s*'[^']*' %S") then term, text = l:match ("^%s*('[^']*') (%S.*)$") end
      if not term then term, text = l:match ('^%s*(%S.*)$'), '' end
      if #term > 40 and text ~= '' then return nil end
      local default
      local d, rest = text:match ('^(%b[])%s%s+(%S.*)$')
      if not d then d, rest = text:match ("^(%S+)%s%s+(%S.*)$") end
      if d then default, text = d, rest end
      rows[#rows + 1] = {term = term, default = default, text = {text}}
    elseif at > base and #rows > 0 then
      local text = l:match ('%S.*')
      local row = rows[#rows]
      local fits = #last + 1 + #text:match ('%S+') <= 100 -- the line before ended although this word had room
      if text:match ("^'[^']*'") and fits then
        row.text[#row.text + 1] = text
      else
        row.text[#row.text] = row.text[#row.text] .. ' ' .. text
      end
    elseif l:match ('%S') then
      return nil
    end
    last = l
  end
  return #rows > 0 and rows or nil
end

local function list (rows, option)
  local items = {}
  for _, row in ipairs (rows) do
    local term = {pandoc.Code (row.term)}
    if row.default and option then
      term[#term + 1] = pandoc.Space ()
      term[#term + 1] = pandoc.Span ({pandoc.Str (row.default == '[]' and '[ ]' or row.default)},
                                     pandoc.Attr ('', {'default'}))
    elseif row.default then
      row.text[1] = row.default .. '  ' .. row.text[1]
    end
    local blocks = {}
    for _, text in ipairs (row.text) do
      if text ~= '' then blocks[#blocks + 1] = pandoc.Para (words (text)) end
    end
    items[#items + 1] = {term, {blocks}}
  end
  return pandoc.DefinitionList (items)
end

function Reader (input)
  local lines, blocks = {}, pandoc.List ({})
  for l in (tostring (input) .. '\n'):gmatch ('(.-)\n') do lines[#lines + 1] = l end
  linked = {}
  for name in lines[1]:gmatch ('%S+') do linked[name] = true end -- the functions that have a page
  local summary = table.concat (lines, '\n', 2):match ('^(.-)\n%s*\n')
  local name, what = summary:match ('^(%S+)%s+(.*)$')
  this = name:lower ()
  blocks:insert (pandoc.Header (1, {pandoc.Code (this)}))
  blocks:insert (pandoc.Div ({pandoc.Para (words (what))}, pandoc.Attr ('', {'summary'})))
  local at = 2
  while lines[at]:match ('%S') do at = at + 1 end
  local function paragraph () -- the lines of the next block, up to an empty one
    while lines[at] and not lines[at]:match ('%S') do at = at + 1 end
    local out = {}
    while lines[at] and lines[at]:match ('%S') do
      out[#out + 1] = lines[at]
      at = at + 1
    end
    return out
  end
  local part = paragraph ()
  while #part > 0 do
    local base = indent (part[1])
    local head = part[1]:match ('^%s*(.-)%s*$')
    if head:match ('^' .. name) or head:match ('^%S* ?=? ?[^=]*= ' .. name) or head:match ('^%[.*%] = ' .. name) then
      for k, l in ipairs (part) do part[k] = l:gsub (name, this) end
      blocks:insert (pandoc.CodeBlock (code (part), pandoc.Attr ('', {'matlab', 'usage'})))
    elseif head:match ('^Inputs? ?:') or head:match ('^Options?,? ?.*:$') or head:match ('^Outputs? ?:') then
      -- a heading, its table; further headings may follow in the same block
      local k = 1
      while k <= #part do
        local title = part[k]:match ('^%s*(.-)%s*:?%s*$')
        local tail
        if title:match ('^Outputs? ?:') then title, tail = title:match ('^(Outputs?) ?:%s*(.*)$') end
        title = title:gsub ('%s*:$', '')
        local body, notes = {}, {}
        k = k + 1
        while k <= #part and indent (part[k]) > base do
          body[#body + 1] = part[k]
          k = k + 1
        end
        while k <= #part and not (part[k]:match ('^%s*%u%a+.*:%s*$') or part[k]:match ('^%s*%u%a+ :')
              or part[k]:match ('^%s*Outputs?:')) do
          notes[#notes + 1] = part[k]
          k = k + 1
        end
        blocks:insert (pandoc.Header (2, {pandoc.Str (title)}))
        if tail and tail ~= '' then blocks:insert (pandoc.Para (words (tail:gsub ('^struct', 'A struct') .. ':'))) end
        local rows = #body > 0 and entries (body, indent (body[1]))
        if rows then
          blocks:insert (list (rows, title:match ('^Option')))
        elseif #body > 0 then
          blocks:insert (pandoc.CodeBlock (code (body)))
        end
        if #notes > 0 then blocks:insert (pandoc.Para (words (table.concat (notes, ' ')))) end
      end
    elseif head:match ('^Examples?:?$') or head:match ('^Examples?:') then
      blocks:insert (pandoc.Header (2, {pandoc.Str ('Example')}))
      table.remove (part, 1)
      blocks:insert (pandoc.CodeBlock (code (part), pandoc.Attr ('', {'matlab'})))
    elseif head:match ('^References?:') then
      blocks:insert (pandoc.Header (2, {pandoc.Str ('References')}))
      table.remove (part, 1)
      local text = table.concat (part, ' ')
      for reference in (text .. ' ['):gmatch ('(%[%d+%].-)%s+%f[%[%z]') do
        blocks:insert (pandoc.Para (words (reference)))
      end
    elseif head:match ('^Equations?:') then
      blocks:insert (pandoc.Header (2, {pandoc.Str ('Equation')}))
      part[1] = part[1]:gsub ('^%s*Equations?:%s*', '')
      blocks:insert (pandoc.Para (words (table.concat (part, ' '))))
    elseif head:match ('^Errors?:') then
      blocks:insert (pandoc.Header (2, {pandoc.Str ('Errors')}))
      part[1] = part[1]:gsub ('^%s*Errors?:%s*', '')
      blocks:insert (pandoc.Para (words (table.concat (part, ' '))))
    elseif head:match ('^See also') then
      blocks:insert (pandoc.Div ({pandoc.Para (words (table.concat (part, ' ')))}, pandoc.Attr ('', {'seealso'})))
    else
      local deep = false
      for _, l in ipairs (part) do deep = deep or indent (l) > base + 1 end
      local rows = deep and part[1]:match ("^%s*%S+%s%s+%S") and entries (part, base)
      if rows then
        blocks:insert (list (rows))
      elseif deep then
        blocks:insert (pandoc.CodeBlock (code (part)))
      else
        blocks:insert (pandoc.Para (words (table.concat (part, ' '))))
      end
    end
    part = paragraph ()
  end
  return pandoc.Pandoc (blocks)
end
