/** F23 Secrets that commands read from other commands, and that sentences tell; and what only looks like one. */
import { describe, expect, it } from 'vitest';
import { RedactingBuffer } from '../../src/log/redact/open-secret.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import { growthOf } from '../cpu-of.ts';

const redact = redactor();
const s = 'hunter2cAn';

const secrets: readonly string[] = [
  `htpasswd -b users ${s}`,
  `htpasswd -bc /etc/nginx/.htpasswd admin ${s}`,
  `htpasswd -nbB admin ${s}`,
  `htpasswd -nb -C 12 admin ${s} > f`,
  `htpasswd -b .htpasswd admin ${s}`,
  `sudo htpasswd -cb file bob '${s}'`,
  `echo ${s} | docker login --password-stdin`,
  `echo "${s}" | docker login -u me --password-stdin`,
  `echo "my ${s} words" | docker login -u me --password-stdin`,
  `printf '%s' ${s} | docker login -u me --password-stdin ghcr.io`,
  `printf "%s\\n" "${s}" | docker login -u me --password-stdin ghcr.io`,
  `echo -n '${s}' | gh auth login --with-token`,
  `printf "${s}" | helm registry login --password-stdin`,
  `echo '${s}' | sudo -S apt update`,
  `docker login --password-stdin <<< ${s}`,
  `docker login -u me --password-stdin <<< "${s}"`,
  `echo "root:${s}" | chpasswd`,
  `echo "root:${s}" | sudo chpasswd`,
  `echo -e "${s}\\n${s}" | passwd bob`,
  `echo ${s} | passwd --stdin bob`,
  `echo ${s} | cryptsetup luksOpen /dev/sda x`,
  `echo ${s} | gpg --batch --passphrase-fd 0 -d f.gpg`,
  JSON.stringify({ command: `echo "${s}" | docker login -u me --password-stdin` }),
  JSON.stringify({ command: ['sh', '-c', `echo '${s}' | docker login --password-stdin`] }),
  `The password is "${s}".`,
  `The password is "swordfish".`.replace('swordfish', s.toLowerCase()),
  `password is '${s}'`,
  `my password is \`${s}\``,
  JSON.stringify({ text: `The password is "${s}" today` }),
  `Your password is: ${s}`,
  `Passwort: ${s}`,
  `Das Passwort lautet "${s}"`,
  `Das Passwort ist „${s}“.`,
  `Kennwort: ${s}`,
  `mot de passe : ${s}`,
  `Le mot de passe est « ${s} »`.replace('« ', '«').replace(' »', '»'),
  `contraseña: ${s}`,
  `La contraseña es "${s}"`,
  `senha: ${s}`,
  `пароль: ${s}`,
  `密码：${s}`,
  `密码: ${s}`,
  `パスワード：${s}`,
  `the passphrase is "${s}"`,
  `The API key is "${s}"`,
  `token is "${s}"`,
];

/** Places that were known before. */
const known: readonly string[] = [
  `curl -u user:${s} https://x`,
  `mysql -p${s} shop`,
  `password = ${s}`,
  `docker login -u me -p ${s}`,
];

const harmless: readonly unknown[] = [
  { pwd: '/home/x1' },
  'pwd',
  'cd $(pwd) && ls',
  'PWD=/home/me1',
  { page_token: 'abc123XYZ' },
  'page_token=abc123XYZ',
  'max_tokens: 4096',
  { max_tokens: 4096 },
  'password_hash_algorithm: bcrypt',
  { password_hash_algorithm: 'bcrypt' },
  'password_hash_algorithm=argon2id',
  { password_policy: 'min12' },
  'password_min_length: 12',
  'password_reset_url: https://x/reset1',
  { token_type: 'bearer' },
  'token_count: 12345',
  'htpasswd -c /etc/nginx/.htpasswd admin',
  'htpasswd -D file bob1',
  'mysql -P 3306 -h db1',
  'mysql -p shop',
  'mysql -u root -p',
  'curl -u user https://x1',
  'curl -o out1:txt x',
  'curl -X POST https://a:8080/b',
  'echo hello1 | docker build -',
  'echo hello123 | grep x',
  'cat pw.txt | docker login --password-stdin',
  'echo $PASS | docker login --password-stdin',
  'echo "$TOKEN" | docker login -u me --password-stdin',
  'docker run -p 8080:80 img1',
  'docker login -u me',
  'ssh -p 2222 host1',
  'mkdir -p a1/b2',
  'cp -p file1 file2',
  'redis-cli -h host1',
  'zip -r a1.zip b',
  'the password is required',
  'password is incorrect',
  'The password is "required" here',
  'Passwort: vergessen?',
  'Passwort vergessen',
  'password is at least 12 characters',
  'your password is safe',
  'Password is case-sensitive',
  'The token is expired',
  'password: string',
  'Passwort: Pflichtfeld',
  'the password is stored in vault1',
  'Passwort ist abgelaufen',
  'the API key is missing',
  'The password is "too short"',
  'Enter password: ',
  'password is hashed with bcrypt2',
  'tokens: 12',
  'echo done1 | tee log',
  'echo test123 | passwdqc',
  'The secret is "out"',
  'the secret is to cook slowly',
  'the key is "name"',
  'passwordless',
  'nextPageToken: CAoQAA1',
  'cancel_token: abc',
  'csrf field',
  'password strength: 85',
  'password_changed_at: 2024-01-01',
  'passwords.txt: 12 lines',
  'mot de passe oublié : cliquez ici1',
  'echo "The password is required" | tee log1',
  'echo hello1 | sudo tee /etc/x',
  'printf "%s" "$PW1" | docker login --password-stdin',
  'docker login --password-stdin < pw1.txt',
  'docker login --password-stdin <<< "$PW1"',
  'htpasswd --help1',
  'echo 1 | bc',
  'Kennwort: siehe Tresor',
  'mot de passe : obligatoire',
  'пароль: обязательно',
  '密码：必填',
  'The token is "read" at position 5',
  'the password is "weak"',
  'Das Passwort ist "falsch"',
  'password is: at least 12 characters',
  'Passwort ist: mindestens 12 Zeichen',
  'echo "a1 | b2" | docker build -',
  'git config user.password1',
];

const lower = (text: string): string => text.toLowerCase();

describe('F23 what is piped in, and what a sentence tells', () => {
  it.each(secrets)('%s', (text) => {
    expect(lower(redact(text))).not.toContain(lower(s));
    expect(redact(text)).toContain('[redacted]');
  });

  it.each(secrets)('in two pieces, split anywhere: %s', (secret) => {
    for (let at = 1; at < secret.length; at += 1) {
      const held = new RedactingBuffer(redact.heldFrom);
      const out = [held.push(secret.slice(0, at)), held.push(secret.slice(at)), held.end()].map((one) => redact(one));
      expect(lower(out.join(''))).not.toContain(lower(s));
    }
  });

  it('guard: places that were known', () => {
    for (const text of known) expect(redact(text)).not.toContain(s);
  });

  it.each(harmless.map((one) => [JSON.stringify(one), one]))('guard: no secret: %s', (_, given) => {
    expect(redact(given)).toEqual(given);
  });

  it('guard: in linear time', () => {
    const units = [
      'echo a | ',
      'echo "',
      'echo a ',
      'printf %s ',
      'htpasswd -b ',
      'htpasswd -b a b ',
      'password is "',
      'token is ',
      'mot de passe : ',
      '--password-stdin <<< ',
      'пароль',
      'echo -e "x\\n',
    ];
    // Four times the text: work in proportion is four times as much, and squared sixteen times.
    const bar = 10;
    for (const unit of units) {
      const whole = (count: number) => () => redact(unit.repeat(count));
      expect(growthOf(whole(2000), whole(8000), { bar }).ratio, unit).toBeLessThan(bar);
      const inPieces = (count: number) => () => {
        const held = new RedactingBuffer(redact.heldFrom);
        for (let at = 0; at < count; at += 1) held.push(unit);
      };
      expect(growthOf(inPieces(1500), inPieces(6000), { bar }).ratio, unit).toBeLessThan(bar);
    }
  });
});
