/** The forms in which encoders write a secret: as it is, in JSON, in a URL and in base64. */
export function spellingsOf(secret: string): string[] {
  const inJson = jsonEscaped(secret);
  const inUrl = percentEncoded(secret);
  const inForm = inUrl.replaceAll('%20', '+');
  const inPath = inUrl.replaceAll('%2F', '/');
  return [
    ...[secret, inJson, jsonEscaped(inJson), jsonEscaped(jsonEscaped(inJson))],
    // Some encoders escape slashes, or everything outside ASCII.
    ...[inJson.replaceAll('/', '\\/'), inAscii(inJson), inAscii(inJson).replace(/\\u[\da-f]{4}/g, upperHex)],
    ...[inUrl, inForm, inPath].flatMap((form) => [form, form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]),
    inUrl.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    ...base64(secret),
  ];
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const inAscii = (text: string): string =>
  text.replace(/[^\0-~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const upperHex = (code: string): string => `\\u${code.slice(2).toUpperCase()}`;

/** A lone surrogate can't be encoded. */
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A short one could occur by chance. */
const shortestEncoded = 8;

function base64(secret: string): string[] {
  if (secret.length < shortestEncoded) return [];
  const encoded = btoa(Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join(''));
  const bare = encoded.replace(/=+$/, '');
  return [bare, bare.replaceAll('+', '-').replaceAll('/', '_')];
}
