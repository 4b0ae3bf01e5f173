/** Names of secret fields, lowercase without separators. */
export const secretFields = [
  ...['password', 'passwd', 'passphrase', 'secret', 'clientsecret', 'apikey', 'xapikey', 'xgoogapikey'],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'bearertoken', 'sessiontoken', 'authorization'],
  ...['proxyauthorization', 'cookie', 'setcookie', 'privatekey', 'secretkey', 'accesskey', 'secretaccesskey'],
  ...['credential', 'credentials', 'connectionstring'],
  ...['passwort', 'kennwort', 'motdepasse', 'contraseña', 'contrasena', 'senha', 'wachtwoord'],
];
/** Endings of secret names, lowercase without separators. */
export const secretEnding =
  /(?:password(?:confirm|confirmation|repeat|again)?|passwd|(?:user|db|smtp|mail|ftp|ssh|admin|root|http|redis|store|key)pass|passphrase|apikey|secretkey|privatekey|secretaccesskey|clientsecret|(?:account|sharedaccess|signing|encryption|master|subscription)key|(?:access|refresh|auth|api|bearer|session|security|bot|github|gitlab|npm|hf|slack|telegram|discord|vault|private|personal|deploy|device|push|oauth|csrf|xsrf|reset|verification|login|webhook)token|(?:jwt|webhook|app|application|shared|signing|consumer|api|hmac|session|oauth|auth|otp|totp|mfa|bot|channel|encryption|master|cookie)secret)$/;
/** Environment variables. `NEXT_PAGE_TOKEN` is a position and `SORT_KEY` a column, not secrets. */
export const secretSetting = /^[A-Z][A-Z0-9_]*$/;
export const place =
  /^KEY$|(?:PAGE|NEXT|SYNC|CONTINUATION|CURSOR|EOS|BOS|PAD|UNK|MASK|SEP|CLS|STOP)_TOKEN$|(?:PRIMARY|FOREIGN|SORT|PARTITION|PUBLIC|CACHE|UNIQUE|SHARD|ROUTING|HASH|RANGE|GROUP|INDEX)_KEY$/;
export const secretVariable = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PASS)$/i;
