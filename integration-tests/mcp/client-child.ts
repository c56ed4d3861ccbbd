// Uses two servers, leaves calls to them under way and a third server connecting, closes, and has nothing more to do: the
// process must end by itself. Arguments: script of the server over pipes, address of the one over HTTP.
import { createClientFixture, NEVER, remoteDefinition, stdioDefinition } from './client-fixture.js';

const [script = '', url = ''] = process.argv.slice(2);
const fixture = createClientFixture();
const clients = fixture.clients([
  stdioDefinition(script, [], { alias: 'pipes' }),
  stdioDefinition(script, ['modern-only'], { alias: 'newer' }),
  stdioDefinition(script, ['silent', 'ignore-end'], { alias: 'silent' }),
  remoteDefinition(url, 'http', { alias: 'http' }),
]);
clients.start();
for (const alias of ['pipes', 'newer', 'http']) {
  const server = clients.server(alias);
  await server?.callTool('echo', { text: 'x' }, { signal: NEVER });
  void server?.callTool('never', {}, { signal: NEVER }).catch(() => undefined);
}
await new Promise((resolve) => setTimeout(resolve, 100));
await clients.close();
process.stdout.write('closed\n');
