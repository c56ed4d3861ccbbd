const UNKNOWN =
  'Node does not know who signed its certificate. If that is your company or a proxy of it, put the certificate of that authority ' +
  'into a file and name it: NODE_EXTRA_CA_CERTS=/path/ca.pem.';
const OUT_OF_TIME =
  'Its certificate is no longer valid, or the clock of this machine is wrong: look at the date, or tell whoever runs the server.';
const OTHER_HOST = 'Its certificate is for another host. Write the name in the address that the certificate is for.';
const REFUSED = 'Its certificate is not accepted. Tell whoever runs the server.';
const NO_TLS =
  'TLS could not be agreed on there: the address may have to begin with http://, or the port is another one.';

/** By the codes of Node (tls, "X509 certificate error codes") and OpenSSL. */
const ADVICE: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  CERT_UNTRUSTED: UNKNOWN,
  CERT_HAS_EXPIRED: OUT_OF_TIME,
  CERT_NOT_YET_VALID: OUT_OF_TIME,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_HOST,
  HOSTNAME_MISMATCH: OTHER_HOST,
  CERT_REVOKED: REFUSED,
  CERT_REJECTED: REFUSED,
  CERT_SIGNATURE_FAILURE: REFUSED,
  CERT_CHAIN_TOO_LONG: REFUSED,
  INVALID_CA: REFUSED,
  INVALID_PURPOSE: REFUSED,
  PATH_LENGTH_EXCEEDED: REFUSED,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/**
 * What to do where a server did not prove by TLS who it is, as sentences; undefined for any other code. It will be the same the
 * next time, and nothing was sent.
 */
export function certificateAdvice(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}
