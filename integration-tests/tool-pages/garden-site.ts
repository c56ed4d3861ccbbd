import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const GUIDE = `<!doctype html>
<html><head><title>Growing carrots</title></head><body>
<nav><a href="/">Home</a></nav>
<article><h1>Growing carrots</h1>
<p>Sow from <b>March</b> to June, two centimetres deep. Carrots want <a href="/soil">loose soil</a> without fresh manure.</p>
<p style="display:none">Nobody sees this.</p>
<table><tr><th>month</th><th>work</th></tr><tr><td>April</td><td>thin out</td></tr><tr><td>August</td><td>harvest</td></tr></table>
</article></body></html>`;

const RESULTS = [
  {
    title: 'Growing carrots',
    url: 'https://garden.example/carrots',
    content: 'Sow from March to June, two centimetres deep.',
  },
  {
    title: 'Beans beside carrots',
    url: 'https://garden.example/beans',
    content: 'They get on well.',
    publishedDate: '2025-04-01',
  },
];

interface Site {
  readonly origin: string;
  /** With its port. */
  readonly host: string;
  readonly close: () => Promise<void>;
}

/** A site of one page, which also answers searches as SearXNG does. */
export async function startGardenSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, type: string, body: string): void =>
      void response.writeHead(status, { 'content-type': type }).end(body);
    if (pathname === '/carrots') send(200, 'text/html; charset=utf-8', GUIDE);
    else if (pathname === '/search') send(200, 'application/json', JSON.stringify({ results: RESULTS }));
    else if (pathname === '/moved') response.writeHead(302, { location: 'https://elsewhere.example/carrots' }).end();
    else send(404, 'text/plain', 'There is no such page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
