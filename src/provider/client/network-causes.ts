/** Network errors by system error code: a description, and whether the error is transient. */
export const networkCauses: Readonly<Record<string, readonly [words: string, passes: boolean]>> = {
  ECONNREFUSED: ['the connection was refused', true],
  ENOTFOUND: ['the host was not found', false],
  EAI_AGAIN: ['the host name could not be resolved', true],
  ECONNRESET: ['the connection was closed', true],
  EPIPE: ['the connection was closed', true],
  ETIMEDOUT: ['the connection timed out', true],
  EHOSTUNREACH: ['the host is unreachable', true],
  ENETUNREACH: ['the network is unreachable', true],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", false],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is self-signed", false],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is signed by an unknown authority", false],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is signed by an unknown authority", false],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host", false],
};
