/** Rules that keep two originals apart, each with the change that takes it out of the source. */
export interface Rule {
  readonly name: string;
  readonly file: string;
  /** The text in the file, there exactly once, and what stands there without the rule. */
  readonly find: string;
  readonly replace: string;
  /** The mistake, and the template, that must then be reported. */
  readonly mistake: string;
  readonly template?: string;
}

export const rules: readonly Rule[] = [
  {
    name: 'a broken \\u escape is refused',
    file: 'src/json/tolerant/escapes.ts',
    find: 'if (broken) return',
    replace: 'if (broken && !broken) return',
    mistake: 'a \\u that lost a digit',
  },
  {
    name: 'an invalid escape beside another kind of escape has two readings',
    file: 'src/json/tolerant/escapes.ts',
    find: 'if (first && beside) return mixed(first, beside);',
    replace: '',
    mistake: 'backslashes not escaped',
  },
  {
    name: 'escapes beside raw quotes or line breaks have two readings',
    file: 'src/json/tolerant/escapes.ts',
    find: 'if (found && (raw || loose))',
    replace: 'if (found && !found)',
    mistake: 'a string pasted raw',
  },
  {
    name: 'escapes beside quotes between apostrophes have two readings in JSON',
    file: 'src/json/tolerant/pick-value.ts',
    find: '(m.otherQuotes && m.besideAt) || ',
    replace: '',
    mistake: 'pasted raw between apostrophes',
  },
  {
    name: 'numbers side by side that may be one are refused',
    file: 'src/json/tolerant/structure.ts',
    find: '((!fresh && isOneNumber(m, frame, last)) ||',
    replace: '(',
    mistake: 'numbers grouped with blanks',
    template: 'numbers',
  },
  {
    name: 'an escaped apostrophe in double quotes is refused',
    file: 'src/json/tolerant/escapes.ts',
    find: 'if (string.apostrophe)',
    replace: 'if (string.apostrophe && !string.apostrophe)',
    mistake: 'a string pasted raw',
    template: 'search',
  },
  {
    name: 'a hole in a list is refused',
    file: 'src/json/tolerant/structure.ts',
    find: "return fail(m, list ? 'has nothing between two commas' : 'has no value', !list);",
    replace: "return list ? stepKey(m) : fail(m, 'has no value');",
    mistake: 'an item lost between commas',
  },
  {
    name: 'a comment does not start inside an unquoted value',
    file: 'src/json/tolerant/bare-words.ts',
    find: "return /\\s/.test(m.text[at - 1] ?? '') && isScalar(m, at, true);",
    replace: "return /\\s/.test(m.text[at - 1] ?? '');",
    mistake: 'without quotes',
  },
  {
    name: 'a key that two objects may own is refused where a closer is missing',
    file: 'src/schema/coerce/objects.ts',
    find: 'if (isAnyones || place.late?.includes(key))',
    replace: 'if (isAnyones)',
    mistake: 'a closer lost inside',
    template: 'configure',
  },
  {
    name: 'a number in a notation of text is refused where both fit',
    file: 'src/schema/coerce/coerce.ts',
    find: 'if ((zeros || other) && both)',
    replace: 'if (zeros && both)',
    mistake: 'digits without their quotes',
    template: 'set_value',
  },
  {
    name: 'text in quotes all around may have its quotes twice',
    file: 'src/json/tolerant/strings.ts',
    find: 'if (around ||',
    replace: 'if ((around && !around) ||',
    mistake: 'quotes doubled around',
    template: 'web_search',
  },
  {
    name: 'a key given twice with different values is refused',
    file: 'src/json/tolerant/containers.ts',
    find: "else problem(m, 'duplicate_key', 'is given twice with different values', { received: [frame.earlier, later] });",
    replace: '',
    mistake: 'a key twice, corrected',
  },
  {
    name: 'text with a separator in it is no list of one',
    file: 'src/schema/coerce/scalars.ts',
    find: 'return isSeveral(value) ? refused(context, value, view) : one(value, value);',
    replace: 'return one(value, value);',
    mistake: 'a list as separated text',
  },
  {
    name: 'a line of a list that may be a comment is no item',
    file: 'src/json/tolerant/whitespace.ts',
    find: "ambiguous(m, 'may be a comment or an item; leave it out, or put quotes around it', line);",
    replace: '',
    mistake: 'an item without quotes commented out',
  },
  {
    name: 'strings side by side in a list of Python are no items',
    file: 'src/json/tolerant/structure.ts',
    find: 'ambiguous(m, twoStrings, last);',
    replace: '{}',
    mistake: 'an item in two pieces of Python',
  },
  {
    name: 'a word that says nothing is no list of one',
    file: 'src/schema/coerce/scalars.ts',
    find: 'nothing.has(text.toLowerCase()) ||',
    replace: '',
    mistake: 'a word for the empty list',
  },
  {
    name: 'a key that changes what happens is not dropped',
    file: 'src/schema/coerce/objects.ts',
    find: 'if (context.writes && changesWhatHappens(key) &&',
    replace: 'if (context.writes && !context.writes &&',
    mistake: 'a key that would change what happens',
  },
  {
    name: 'a key that resembles an unused one is not dropped',
    file: 'src/schema/coerce/objects.ts',
    find: 'resembles(key, property) || ',
    replace: '',
    mistake: 'a key with a word more or less',
  },
  {
    name: 'a comma in a number groups digits only where an integer is wanted',
    file: 'src/schema/coerce/scalars.ts',
    find: '!(integer && grouped.test(text))',
    replace: '!grouped.test(text)',
    mistake: 'a number as text with a decimal comma',
  },
  {
    name: 'a member of an enum is taken only where no other is spelled alike',
    file: 'src/schema/coerce/scalars.ts',
    find: 'found.length === 1 ?',
    replace: 'found.length > 0 ?',
    mistake: 'an enum in other letters',
  },
  {
    name: 'a bracket lost between lists is added only where one place fits',
    file: 'src/mend/check-arguments.ts',
    find: 'return closesElsewhere(reading.value, fits) ?',
    replace: 'return closesElsewhere(undefined, fits) ?',
    mistake: 'a closer lost inside',
    template: 'set_filter',
  },
  {
    name: 'words that may be one member or several are refused in a list',
    file: 'src/schema/coerce/lists.ts',
    find: 'if (several) {',
    replace: 'if (several && !several) {',
    mistake: 'a list of fixed words, with blanks between',
    template: 'grant',
  },
  {
    name: 'a sign before a digit tells members apart',
    file: 'src/schema/coerce/fold-key.ts',
    find: 'signed ? beforeDigits : betweenDigits',
    replace: 'signed ? betweenDigits : betweenDigits',
    mistake: 'a sign of a member lost',
    template: 'set_zone',
  },
  {
    name: 'a decimal that is written with an exponent stays as written',
    file: 'src/json/value.ts',
    find: '|\\.0{6}',
    replace: '',
    mistake: 'digits without their quotes',
    template: 'lookup_order',
  },
];
