/** F23 Passwords that programs take on their command lines, in places of their own; and arguments that only stand there. */
import { describe, expect, it } from 'vitest';
import { RedactingBuffer } from '../../src/log/redact/open-secret.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import { cpuOf } from '../cpu-of.ts';

const redact = redactor();
const s = 'Zq7cAnArY9x';

const secrets: readonly string[] = [
  `net user ada ${s} /add`,
  `net user /add ada ${s}`,
  `NET USER ada "${s}" /domain`,
  `net.exe user ada ${s}`,
  `cmd /c net user ada ${s} /add && echo done`,
  `net use Z: \\\\srv\\share ${s} /user:ada`,
  `net use Z: \\\\srv\\share /user:ada ${s}`,
  `net use \\\\srv\\share ${s} /USER:CORP\\ada`,
  `mysqladmin -u root password ${s}`,
  `openssl passwd -6 ${s}`,
  `openssl passwd -1 -salt xy ${s}`,
  `redis-cli -h x --pass ${s}`,
  `redis-cli AUTH ${s}`,
  `redis-cli -h x auth default ${s}`,
  `setx DB_PASSWORD "${s}"`,
  `setx DB_PASSWORD "two words ${s}"`,
  `setx /M DB_PASSWORD ${s}`,
  `ConvertTo-SecureString "${s}" -AsPlainText -Force`,
  `ConvertTo-SecureString -String "${s}" -AsPlainText -Force`,
  `ConvertTo-SecureString -AsPlainText "${s}" -Force`,
  `convertto-securestring ${s} -AsPlainText -Force`,
  `$p = ConvertTo-SecureString -AsPlainText -Force -String ${s}`,
  `docker login -u ada -p${s} reg`,
  `podman login -p=${s} reg`,
  `cmdkey /add:srv /user:ada /pass:${s}`,
  `schtasks /create /tn x /ru ada /rp ${s}`,
  `psexec \\\\srv -u ada -p ${s} cmd`,
  `useradd -m -p ${s} ada`,
  `usermod -p '${s}' ada`,
  `dscl . -passwd /Users/ada ${s}`,
  `SET PASSWORD FOR ada = PASSWORD('${s}')`,
  `CREATE LOGIN ada WITH PASSWORD = N'${s}'`,
  `CREATE USER ada IDENTIFIED WITH caching_sha2_password BY '${s}'`,
  `sqlcmd -S x -U sa -P${s}`,
  `sqlplus ada/${s}@db`,
  `sqlplus -s ada/${s}@//db:1521/x`,
  `isql dsn ada ${s}`,
  `rpcclient -U ada%${s} srv`,
  `rar a -hp${s} x.rar f`,
  `aws configure set aws_secret_access_key ${s}`,
  `npm config set //registry.npmjs.org/:_authToken ${s}`,
  `git config --global user.password ${s}`,
  `vault login ${s}`,
  `bw unlock ${s}`,
  `ansible-vault encrypt_string '${s}' --name p`,
  `rabbitmqctl add_user ada ${s}`,
  `rabbitmqctl change_password ada ${s}`,
  `xfreerdp /u:a /p:${s} /v:x`,
  `winrs -r:x -u:a -p:${s} cmd`,
  `kinit ada <<< ${s}`,
  `cryptsetup luksOpen /dev/sda x <<< "${s}"`,
  `nmcli dev wifi connect Home password ${s}`,
  `wpa_passphrase Home ${s}`,
  `lftp -u ada,${s} ftp.example.com`,
  `snmpwalk -v3 -u a -A ${s} host`,
  `ipmitool -H x -U a -P ${s} power status`,
];

const known: readonly string[] = [
  `mysql -u root -p${s} db`,
  `mysqldump -uroot -p'${s}' db`,
  `mysqladmin -u root password '${s}'`,
  `curl -u ada:${s} https://x`,
  `wget --user=ada --password=${s} x`,
  `sshpass -p ${s} ssh x`,
  `SSHPASS=${s} sshpass -e ssh x`,
  `htpasswd -nbB ada ${s}`,
  `openssl rsa -passin pass:${s} -in k`,
  `redis-cli -a ${s} ping`,
  `psql postgres://me:${s}@db/x`,
  `PGPASSWORD=${s} psql`,
  `setx API_TOKEN ${s}`,
  `$env:DB_PASSWORD = "${s}"`,
  `docker login -u ada -p ${s} reg`,
  `ALTER LOGIN ada WITH PASSWORD = '${s}'`,
  `7z x -p${s} a.7z`,
  `keytool -storepass ${s} -list`,
];

const harmless: readonly string[] = [
  'net user',
  'net user ada',
  'net user ada /delete',
  'net user ada * /add',
  'net user /domain',
  'net use Z: \\\\srv\\share',
  'net use Z: /delete',
  'net use * \\\\srv\\share /persistent:yes',
  'net use \\\\srv\\share /user:ada',
  'net use \\\\srv\\share * /user:ada',
  'the net user count went up by 5',
  'the net use of force is bad here',
  'Net user growth rose sharply this year.',
  'we net use cases from the interviews',
  'mysql -u root -p db',
  'mysqladmin -u root status',
  'docker run -p 8080:80 nginx',
  'ssh -p 22 host',
  'openssl passwd -6',
  'openssl passwd -6 -stdin',
  'openssl x509 -in cert.pem',
  'redis-cli AUTH',
  'setx PATH "C:\\bin"',
  'setx JAVA_HOME C:\\java',
  'ConvertTo-SecureString $p -AsPlainText -Force',
  'ConvertTo-SecureString -String $pw -Key $k',
  'useradd -m -s /bin/bash ada',
  'usermod -aG docker ada',
  'mkdir -p a/b',
  'cp -p a b',
  'psexec \\\\srv cmd',
  'rabbitmqctl list_users',
  'rabbitmqctl add_user ada',
  'sqlplus / as sysdba',
  'sqlplus ada@db',
  'schtasks /create /tn x /tr a.exe',
  'nmcli dev wifi list',
  'vault login -method=oidc',
  'vault login',
  'the vault login failed again',
  'lftp -u ada ftp.x',
  'aws configure set region us-east-1',
  'npm config set registry https://r',
  'git config user.name Ada',
  'sqlcmd -S x -U sa -i P.sql',
  'rar a -r x',
  'xfreerdp /u:a /v:x',
  'winrs -r:x dir',
  'dscl . -read /Users/ada',
];

describe('F23 passwords on command lines', () => {
  it.each(secrets)('%s', (line) => {
    for (const text of [line, JSON.stringify({ command: line }), `cd /tmp\n${line}\nls`, `Run \`${line}\` now.`]) {
      expect(redact(text)).toContain('[redacted]');
      expect(redact(text)).not.toContain(s);
    }
  });

  it.each(secrets)('in two pieces, split anywhere: %s', (line) => {
    for (let at = 1; at < line.length; at += 1) {
      const held = new RedactingBuffer(redact.heldFrom);
      const out = [held.push(line.slice(0, at)), held.push(line.slice(at)), held.end()].map((one) => redact(one));
      expect(out.join('')).not.toContain(s);
    }
  });

  it.each(known)('guard: known before: %s', (line) => {
    for (const text of [line, JSON.stringify({ command: line })]) expect(redact(text)).not.toContain(s);
  });

  it.each(harmless)('guard: no secret: %s', (line) => {
    for (const text of [line, JSON.stringify({ command: line })]) expect(redact(text)).toBe(text);
  });

  it('guard: in linear time', () => {
    for (const unit of [
      'net user ',
      'net user a /b ',
      'net use Z: \\\\s ',
      'ConvertTo-SecureString -s ',
      'redis-cli AUTH ',
    ])
      for (const text of [unit.repeat(40_000), `${unit}${'a '.repeat(200_000)}`])
        expect(cpuOf(() => redact(text))).toBeLessThan(3000);
  });
});
