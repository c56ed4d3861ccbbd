import { certificateAdvice } from '../../network/certificate-advice.js';
import { errorMessage, Failure, systemErrorCode } from '../../util/failure.js';
import { plainLine } from './plain-line.js';

/** What was thrown on the way as a `Failure` that says what to do. Nothing of an answer's body is in it: it may hold tokens. */
export async function signInFailure(alias: string, thrown: unknown): Promise<Failure> {
  if (thrown instanceof Failure) return thrown.message.startsWith(`${alias}:`) ? thrown : named(alias, thrown);
  const { OAuthError, IssuerMismatchError, InsecureTokenEndpointError } = await import('@modelcontextprotocol/client');
  if (IssuerMismatchError.isInstance(thrown))
    return new Failure(
      'mcp_error',
      `${alias}: the answer is not from the issuer that was asked (${plainLine(thrown.message)}). Nothing was sent to it. Tell whoever runs the server.`,
    );
  if (InsecureTokenEndpointError.isInstance(thrown))
    return new Failure('mcp_error', `${alias}: ${plainLine(thrown.message)}`);
  if (OAuthError.isInstance(thrown)) return oauthFailure(alias, thrown.code, thrown.message);
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return new Failure('mcp_timeout', `${alias}: the sign-in server did not answer in time. Try again.`);
  if (thrown instanceof TypeError) {
    const code = systemErrorCode(thrown.cause);
    const cause = thrown.cause === undefined ? thrown.message : (code ?? errorMessage(thrown.cause));
    const advice = certificateAdvice(code);
    const more = advice === undefined ? '' : ` ${advice}`;
    return new Failure(
      'mcp_unavailable',
      `${alias}: the sign-in server cannot be reached (${plainLine(cause)}).${more}`,
    );
  }
  if (thrown instanceof Error && (thrown.name === 'ZodError' || thrown instanceof SyntaxError))
    return new Failure('mcp_error', `${alias}: an answer of the sign-in server does not have the form of OAuth.`);
  return new Failure('mcp_error', `${alias}: signing in failed: ${plainLine(errorMessage(thrown))}`);
}

function oauthFailure(alias: string, code: string, message: string): Failure {
  const words = plainLine(code, 60);
  // An answer without the form of an error is quoted whole by the SDK.
  const said = /raw body/i.test(message) || message === '' ? '' : `: ${plainLine(message)}`;
  if (code === 'access_denied')
    return new Failure('mcp_error', `${alias}: the sign-in was refused${said === '' ? '.' : said} (access_denied)`);
  return new Failure('mcp_error', `${alias}: the sign-in server answered ${words}${said}`);
}

function named(alias: string, failure: Failure): Failure {
  return new Failure(failure.code, `${alias}: ${failure.message}`);
}
