import { chooseProxy, type Environment } from '../network/choose-proxy.js';
import { fetchTransport, nodeTransport, type HttpTransport } from './http-transport.js';

/**
 * The transport by the proxy variables of an environment: each request through the proxy that is named for its address, and
 * directly where none is. What proxies need is loaded with the first request through one.
 * A request rejects with a `Failure` (`proxy_unusable`) where the proxy is at fault.
 */
export function environmentTransport(environment: Environment): HttpTransport {
  let way: Promise<HttpTransport> | undefined;
  return async (request) => {
    const url = new URL(request.url);
    const proxy = chooseProxy(url, environment);
    if (proxy === undefined) return nodeTransport(request);
    way ??= import('../network/create-fetch.js').then(({ createFetch }) =>
      fetchTransport(createFetch({ environment }).fetch),
    );
    // As without a proxy: what packs the answer may hold it back.
    const answer = await (await way)({ ...request, headers: { 'accept-encoding': 'identity', ...request.headers } });
    if (url.protocol === 'https:') return answer;
    return { ...answer, through: `the proxy ${proxy.host} (from ${proxy.variable})` };
  };
}
