/** What went wrong below HTTP, by the code the system gives it, and whether it may pass by itself. */
export const networkCauses: Readonly<Record<string, readonly [words: string, passes: boolean]>> = {
  ECONNREFUSED: ['no server answers there', true],
  ENOTFOUND: ['there is no host of that name', false],
  EAI_AGAIN: ['the name could not be looked up', true],
  ECONNRESET: ['the connection was cut', true],
  EPIPE: ['the connection was cut', true],
  ETIMEDOUT: ['the connection timed out', true],
  EHOSTUNREACH: ['there is no way to that host', true],
  ENETUNREACH: ['there is no way to that network', true],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", false],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is signed by itself", false],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is signed by an unknown authority", false],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is signed by an unknown authority", false],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host", false],
};
