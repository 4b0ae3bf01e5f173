/** Secrets that a command line takes behind short flags, which mean other things elsewhere: `-p` is also a port. */

const bare = `(?<bare>[^\\s"'\`;|<>\\\\$\\[(-](?:[^\\s"'\`;|<>\\\\]|\\\\(?![\\\\"'n]))*)`;
const quotedBy = (lead: string): string =>
  `(?<s>\\\\*)(?<q>["'])(?<name>${lead})(?<inside>[^\\n$][^\\n]{0,300}?)\\k<s>\\k<q>`;
const between = `\\\\*["'],\\s*\\\\*["']`;

interface Form {
  /** The flags, as a pattern. */
  readonly flags: string;
  /** What stands between flag and value: nothing, white space, or an equals sign. */
  readonly joint?: string;
  /** What stands before the secret in the value, as a pattern: `name:`. */
  readonly lead?: string;
}

const flagged = ({ flags, joint = '[ \\t]+', lead = '' }: Form): RegExp =>
  new RegExp(
    `(?<=[\\s"'])(?:(?<listed>(?:${flags})${between}${lead})(?<item>[^"'\\n\\\\$]+)|(?<before>(?:${flags})(?:${joint}))(?:${quotedBy(lead)}|(?<user>${lead})${bare}))`,
    'g',
  );

const login = `[^\\s:"'\\\\$/]{1,100}:(?!//)`;
const word = (names: string): RegExp => new RegExp(`(?<![\\w.-])(?:${names})(?=\\\\*["']?[\\s,])`);
/** A list of arguments has flag and value in texts of their own. */
const spaced = (flags: string): RegExp => flagged({ flags });

/** What parts two arguments, in a line or in a list. */
const next = `(?:[ \\t]+|${between})`;

const programs: readonly (readonly [RegExp, ...RegExp[]])[] = [
  [
    word('curl|xh'),
    flagged({ flags: '-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user', joint: '[ \\t]*=?', lead: login }),
    flagged({ flags: '-b|--cookie', joint: '[ \\t]+|=', lead: `[^\\s="';]{1,100}=` }),
  ],
  [word('https?'), flagged({ flags: '-a|--auth', joint: '[ \\t]+|=', lead: login })],
  [word('(?:mysql|mariadb)[\\w-]*|7z[ar]?'), flagged({ flags: '-p', joint: '' })],
  [word('sshpass'), flagged({ flags: '-p', joint: '[ \\t]*' })],
  [
    /(?<![\w.-])(?:docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|oc|az|cf)\\*["']?[\s,][^\n]*?\blogin\b/,
    spaced('-p'),
  ],
  [word('redis-cli'), spaced('-a')],
  [word('mongo\\w*'), spaced('-p')],
  [word('ldap\\w+'), spaced('-w')],
  [word('zip|unzip|sqlcmd|bcp'), spaced('-P')],
  [word('ssh-keygen'), spaced('-[NP]')],
  [word('smbclient'), flagged({ flags: '-U', joint: '[ \\t]*', lead: `[^\\s%"']{1,100}%` })],
  [
    word('htpasswd'),
    new RegExp(
      `(?<before>htpasswd(?=[^;|\\n]{0,200}?[\\s"']-[A-Za-z]*b)(?:${next}-[A-Za-z]+(?:${next}\\d\\d?(?=[\\s"'\\\\]))?){1,6}(?:${next}[^\\s"'\\\\;|-][^\\s"'\\\\;|]*){1,2}${next})(?:${quotedBy('')}|(?<user>)${bare})`,
      'g',
    ),
  ],
  [word('openssl'), spaced('-k|-K'), /(?<before>\bpass:)(?<user>)(?<bare>[^\s"'`\\$]+)/g],
];

/** A look at a text instead of one for each program. */
export const commandHint =
  /(?<![\w.-])(?:curl|xh|https?(?=\\*["']?[\s,])|mysql|mariadb|7z|sshpass|docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|oc|az|cf|redis-cli|mongo|ldap|zip|unzip|sqlcmd|bcp|ssh-keygen|smbclient|openssl|htpasswd)[\w-]*\\*["']?[\s,]/;

/** Where a command ends: at the line's end, real or escaped, unless a backslash continues it. */
const lineEnd = /(?<!\\)(?:\n|\\n)/;
const lines = /(?<!\\)(\n|\\n)/;

/** Puts something in place of the secrets in command lines. Each line is looked at once for each program it names. */
export function blotCommands(given: string, instead: string): string {
  const text = blotPiped(given, instead);
  if (!commandHint.test(text)) return text;
  return text
    .split(lines)
    .map((line) => (commandHint.test(line) ? blotLine(line, instead) : line))
    .join('');
}

/** What is written to programs that read a secret from there. */
const reader =
  '(?:[^\\n|;]{0,200}?(?:--password-stdin|--with-token|--passphrase-fd|--stdin\\b|-pass(?:in)?[ \\t]+stdin)|(?:sudo[ \\t]+(?:-[A-Za-z]+[ \\t]+)?)?(?:chpasswd|passwd|cryptsetup)(?![\\w.-])|sudo[ \\t]+-[A-Za-z]*S)';
const words = '(?<bare>[^\\s"\'`|;<>\\\\$(-][^"\'`|;<>\\n\\\\$]{0,300}?)';
const written = new RegExp(
  `(?<before>(?<![\\w.-])(?:echo|printf)(?:[ \\t]+-[neE]+)?(?:[ \\t]+\\\\*["']?%s(?:\\\\+n)?\\\\*["']?)?[ \\t]+)(?!\\\\*["']?%s)(?:${quotedBy('')}|${words})(?=[ \\t]*\\|[ \\t]*${reader})`,
  'g',
);
const hereString = new RegExp(
  `(?<before>--(?:password-stdin|with-token)[^\\n|;<]{0,200}<<<[ \\t]*)(?:${quotedBy('')}|${bare})`,
  'g',
);
const pipeHint = /\||<<</;

function blotPiped(text: string, instead: string): string {
  if (!pipeHint.test(text)) return text;
  let clean = text;
  for (const form of [written, hereString])
    clean = clean.replace(form, (...found) => {
      const { before, s = '', q = '' } = found.at(-1) as Record<string, string | undefined>;
      return `${before}${s}${q}${instead}${s}${q}`;
    });
  return clean;
}

function blotLine(line: string, instead: string): string {
  let clean = line;
  for (const [program, ...forms] of programs) {
    if (!program.test(line)) continue;
    for (const form of forms) {
      clean = clean.replace(form, (...found) => {
        const groups = found.at(-1) as Record<string, string | undefined>;
        const { listed, before = '', s = '', q = '', name = '', inside, user = '', bare: plain = '' } = groups;
        if (listed !== undefined) return listed + instead;
        if (inside !== undefined) return `${before}${s}${q}${name}${instead}${s}${q}`;
        return isNumbers(user + plain) ? String(found[0]) : `${before}${user}${instead}`;
      });
    }
  }
  return clean;
}

/** Ports and ids of users and groups: `8080:80`, `1000:1000`. */
const isNumbers = (value: string): boolean => /^\d{1,5}:\d{1,5}$/.test(value);

/** Where, in the last line, a command begins that may still name a secret; the text's length where there is none. */
export function commandFrom(text: string): number {
  let start = text.length;
  const tail = text.slice(-longest);
  const line = tail.split(lineEnd).at(-1) ?? '';
  const found = commandHint.exec(`${line} `);
  if (found) start = text.length - line.length + found.index;
  // What is written may go to a program that reads a secret, and may itself hold the sign of a line's end.
  const wrote = /(?<![\w.-])(?:echo|printf)(?![\w.-])[^\n]*$/.exec(tail.slice(-600));
  return wrote ? Math.min(start, text.length - wrote[0].length) : start;
}

const longest = 1200;
