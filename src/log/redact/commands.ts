/** Secrets after short flags of command lines. Elsewhere the flags mean something else: `-p` can be a port. */

const bare = `(?<bare>[^\\s"'\`;|<>\\\\$\\[(-](?:[^\\s"'\`;|<>\\\\]|\\\\(?![\\\\"'n]))*)`;
const quotedBy = (lead: string): string =>
  `(?<s>\\\\*)(?<q>["'])(?<name>${lead})(?<inside>[^\\n$][^\\n]{0,300}?)\\k<s>\\k<q>`;
const between = `\\\\*["'],\\s*\\\\*["']`;

interface Form {
  /** Pattern of the flags. */
  readonly flags: string;
  /** Pattern between flag and value: nothing, white space, or an equals sign. */
  readonly joint?: string;
  /** Pattern before the secret in the value, such as `name:`. */
  readonly lead?: string;
}

const flagged = ({ flags, joint = '[ \\t]+', lead = '' }: Form): RegExp =>
  new RegExp(
    `(?<=[\\s"'])(?:(?<listed>(?:${flags})${between}${lead})(?<item>[^"'\\n\\\\$]+)|(?<before>(?:${flags})(?:${joint}))(?:${quotedBy(lead)}|(?<user>${lead})${bare}))`,
    'g',
  );

const login = `[^\\s:"'\\\\$/]{1,100}:(?!//)`;
const word = (names: string): RegExp => new RegExp(`(?<![\\w.-])(?:${names})(?=\\\\*["']?[\\s,])`);
/** A flag whose value is a separate argument. */
const spaced = (flags: string): RegExp => flagged({ flags });

/** Separator of two arguments, in a line or in a list. */
const next = `(?:[ \\t]+|${between})`;

/** An argument that is neither a flag nor a switch. */
const argument = `(?:\\\\*["'])?[^\\s"'\`\\\\;|/*$<>-][^\\s"'\`\\\\;|]*(?:\\\\*["'])?`;
const options = `(?:${next}(?:--?|/)[\\w:-]+)*`;
/** A secret that is a positional argument, but not a switch and not `*`, which prompts for one. */
const placed = (lead: string, guard = ''): RegExp =>
  new RegExp(
    `(?<before>${lead}(?:[ \\t]+|(?<=["'])[ \\t]*,[ \\t]*(?=\\\\*["'])))(?!\\\\*["']?[/*])${guard}(?:${quotedBy('')}|(?<user>)${bare})`,
    'g',
  );
/** Excludes prose, where no switch follows and words have lowercase letters only. */
const noProse = `(?=[^\\n]{0,300}[\\s"']/[A-Za-z]|\\\\*["']|[a-z]{0,40}[^a-z\\s.,:;!?"'])`;
/** Windows commands are case-insensitive. */
const anyCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
const net = `(?<![\\w.-])${anyCase('net')}(?:\\.${anyCase('exe')})?`;
const netUser = `${net}${next}${anyCase('user')}${options}${next}${argument}${options}`;
const netUse = `${net}${next}${anyCase('use')}(?:${next}(?:[A-Za-z]:|\\*))?${next}\\\\{2,8}[^\\s"';|]+`;
const named = '[\\w./:@-]{0,80}(?:_authToken|_auth|password|secret_access_key|session_token|token|secret)';

/** A secret directly after `lead`. */
const joined = (lead: string): RegExp => new RegExp(`(?<before>${lead})(?<user>)${bare}`, 'g');

const programs: readonly (readonly [RegExp, ...RegExp[]])[] = [
  [
    word('curl|xh'),
    flagged({ flags: '-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user', joint: '[ \\t]*=?', lead: login }),
    flagged({ flags: '-b|--cookie', joint: '[ \\t]+|=', lead: `[^\\s="';]{1,100}=` }),
  ],
  [word('https?'), flagged({ flags: '-a|--auth', joint: '[ \\t]+|=', lead: login })],
  [word('(?:mysql|mariadb)[\\w-]*'), flagged({ flags: '-p', joint: '' })],
  [word('mysqladmin'), placed(`mysqladmin[^\\n;|]{0,200}?[\\s"']password(?:\\\\*["'])?`)],
  [word('7z[ar]?|rar|unrar'), flagged({ flags: '-h?p', joint: '' })],
  [/(?<![\w.-])net(?:\.exe)?(?=\\*["']?[\s,])/i, placed(netUser, noProse), placed(netUse)],
  [/(?<![\w.-])net(?:\.exe)?(?=\\*["']?[\s,]+\\*["']?use\b)/i, placed(`/${anyCase('user')}:[^\\s"';|]+`)],
  [
    /ConvertTo-SecureString/i,
    placed(`${anyCase('ConvertTo-SecureString')}${options}`),
    // The value can follow the name of its parameter.
    placed(`${anyCase('SecureString')}[^\\n|;]{0,100}?[\\s"']-${anyCase('s')}(?:${anyCase('tring')})?`),
  ],
  [
    word('cmdkey|wmic|xfreerdp|mstsc|winrs|schtasks'),
    flagged({ flags: '/pass|/password|[/-]p|/rp', joint: '[ \\t]*:[ \\t]*|[ \\t]+' }),
  ],
  [word('psexec\\d*|useradd|usermod|impala-shell|ncftp\\w*'), spaced('-p')],
  [
    /(?<![\w.-])netsh(?:\.exe)?(?=\\*["']?[\s,])/i,
    flagged({ flags: `${anyCase('key')}(?:${anyCase('material')})?(?!=${anyCase('clear')}\\b)`, joint: '=' }),
  ],
  [word('dscl'), placed(`dscl[^\\n;|]{0,80}?-passwd${next}[^\\s"';|]+`)],
  [word('sqlplus'), joined(`sqlplus${options}${next}[^\\s"'/\\\\;|]+/`)],
  [word('isql'), placed(`isql${options}${next}${argument}${next}${argument}`)],
  [
    word('aws|npm|pnpm|git'),
    placed(
      `(?:aws${next}configure${next}set|p?npm${next}(?:config${next})?set|git${next}config${options})${next}${named}`,
    ),
  ],
  [word('vault|bw'), placed(`(?:vault${next}login|bw${next}unlock)`, noProse)],
  [word('ansible-vault'), placed(`ansible-vault${next}encrypt_string${options}`)],
  [word('rabbitmqctl'), placed(`rabbitmqctl${next}(?:add_user|change_password)${next}${argument}`)],
  [word('nmcli'), placed(`nmcli[^\\n;|]{0,200}?[\\s"']password(?:\\\\*["'])?`)],
  [word('wpa_passphrase'), placed(`wpa_passphrase${next}${argument}`)],
  [word('lftp'), flagged({ flags: '-u|--user', lead: `[^\\s,"']{1,100},` })],
  [word('snmp\\w+'), spaced('-[AX]')],
  [word('ipmitool'), spaced('-P')],
  [word('sshpass'), flagged({ flags: '-p', joint: '[ \\t]*' })],
  [
    /(?<![\w.-])(?:docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|oc|az|cf)\\*["']?[\s,][^\n]*?\blogin\b/,
    flagged({ flags: '-p', joint: '[ \\t]*=?' }),
  ],
  [
    word('redis-cli'),
    spaced('-a|--pass'),
    placed(`redis-cli[^\\n;|]{0,200}?[\\s"'](?:AUTH|auth)(?:\\\\*["'])?(?:${next}${argument}(?=[ \\t]+[^\\s-]))?`),
  ],
  [word('mongo\\w*'), spaced('-p')],
  [word('ldap\\w+'), spaced('-w')],
  [word('zip|unzip|sqlcmd|bcp'), flagged({ flags: '-P', joint: '[ \\t]*' })],
  [word('ssh-keygen'), spaced('-[NP]')],
  [word('smbclient|rpcclient|winexe'), flagged({ flags: '-U', joint: '[ \\t]*', lead: `[^\\s%"']{1,100}%` })],
  [
    word('htpasswd'),
    new RegExp(
      `(?<before>htpasswd(?=[^;|\\n]{0,200}?[\\s"']-[A-Za-z]*b)(?:${next}-[A-Za-z]+(?:${next}\\d\\d?(?=[\\s"'\\\\]))?){1,6}(?:${next}[^\\s"'\\\\;|-][^\\s"'\\\\;|]*){1,2}${next})(?:${quotedBy('')}|(?<user>)${bare})`,
      'g',
    ),
  ],
  [
    word('openssl'),
    spaced('-k|-K'),
    placed(`openssl${next}passwd(?:${next}-(?:salt${next}[^\\s"']+|\\w+))*`),
    /(?<before>\bpass:)(?<user>)(?<bare>[^\s"'`\\$]+)/g,
  ],
];

/** One check that covers all programs. */
export const commandHint =
  /(?<![\w.-])(?:(?:curl|xh|https?(?=\\*["']?[\s,])|mysql|mariadb|7z|rar|unrar|sshpass|docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|oc|az|cf|redis-cli|mongo|ldap|zip|unzip|sqlcmd|bcp|ssh-keygen|smbclient|rpcclient|winexe|openssl|htpasswd|cmdkey|wmic|xfreerdp|mstsc|winrs|schtasks|psexec|useradd|usermod|impala-shell|ncftp|netsh(?:\.exe)?|dscl|sqlplus|isql|vault|bw|ansible-vault|rabbitmqctl|nmcli|wpa_passphrase|lftp|snmp|ipmitool|kinit|cryptsetup|ConvertTo-SecureString)[\w-]*|net(?:\.exe)?(?=\\*["']?[\s,]+(?:\\*["'])?(?:use|us?\s?$|$))|(?:aws|p?npm|git)(?=\\*["']?[\s,]+(?:\\*["'])?(?:conf|set|[confset]{0,5}\s?$)))\\*["']?[\s,]/i;

/** The end of a command: the end of the line, real or escaped, unless a backslash continues it. */
const lineEnd = /(?<!\\)(?:\n|\\n)/;
const lines = /(?<!\\)(\n|\\n)/;

/** Replaces secrets in command lines. Each line is searched once per program it names. */
export function redactCommands(given: string, instead: string): string {
  const text = blotPiped(given, instead);
  if (!commandHint.test(text)) return text;
  return text
    .split(lines)
    .map((line) => (commandHint.test(line) ? blotLine(line, instead) : line))
    .join('');
}

/** Input piped to programs that read a secret from stdin. */
const reader =
  '(?:[^\\n|;]{0,200}?(?:--password-stdin|--with-token|--passphrase-fd|--stdin\\b|-pass(?:in)?[ \\t]+stdin)|(?:sudo[ \\t]+(?:-[A-Za-z]+[ \\t]+)?)?(?:chpasswd|passwd|cryptsetup)(?![\\w.-])|sudo[ \\t]+-[A-Za-z]*S)';
const words = '(?<bare>[^\\s"\'`|;<>\\\\$(-][^"\'`|;<>\\n\\\\$]{0,300}?)';
const written = new RegExp(
  `(?<before>(?<![\\w.-])(?:echo|printf)(?:[ \\t]+-[neE]+)?(?:[ \\t]+\\\\*["']?%s(?:\\\\+n)?\\\\*["']?)?[ \\t]+)(?!\\\\*["']?%s)(?:${quotedBy('')}|${words})(?=[ \\t]*\\|[ \\t]*${reader})`,
  'g',
);
const hereString = new RegExp(
  `(?<before>(?:--(?:password-stdin|with-token)|(?<![\\w.-])(?:kinit|cryptsetup|passwd|sudo[ \\t]+-S))[^\\n|;<]{0,200}<<<[ \\t]*)(?:${quotedBy('')}|${bare})`,
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

/** Ports, and ids of users and groups: `8080:80`, `1000:1000`. */
const isNumbers = (value: string): boolean => /^\d{1,5}:\d{1,5}$/.test(value);

/** The offset in the last line of a command that may still contain a secret, or the length of the text. */
export function commandFrom(text: string): number {
  let start = text.length;
  const tail = text.slice(-longest);
  const line = tail.split(lineEnd).at(-1) ?? '';
  const found = commandHint.exec(`${line} `);
  if (found) start = text.length - line.length + found.index;
  // The text may be piped to a program that reads a secret, and may contain an escaped line end.
  const wrote = /(?<![\w.-])(?:echo|printf)(?![\w.-])[^\n]*$/.exec(tail.slice(-600));
  return wrote ? Math.min(start, text.length - wrote[0].length) : start;
}

const longest = 1200;
