import { describe, expect, it } from 'vitest';
import { hides } from './hidden-parts.js';
import { pageContent } from './page-content.js';

const at = 'https://example.com/docs/page.html';
const markdown = async (html: string): Promise<string> => (await pageContent(html, at, 'markdown')).text;
const long = 'A sentence of the article that goes on for a while, so that it counts as one. '.repeat(12);

describe('a page as Markdown (S120)', () => {
  it('keeps headings, lists, code and tables', async () => {
    const text = await markdown(`<h1>Top</h1><p>Some <b>bold</b> <em>word</em> and <code>code</code>.</p>
      <ul><li>one</li><li>two<ul><li>deeper</li></ul></li></ul><ol start="3"><li>third</li><li>fourth</li></ol>
      <pre><code class="language-ts">const a = 1;\n  // kept</code></pre><pre>plain\n  too</pre>
      <table><thead><tr><th>Name</th><th>Size</th></tr></thead><tbody><tr><td>a|b</td><td>1</td></tr></tbody></table>
      <blockquote>said</blockquote>`);
    expect(text).toContain('# Top');
    expect(text).toContain('Some **bold** _word_ and `code`.');
    expect(text).toContain('- one\n- two\n  - deeper');
    expect(text).toContain('3. third\n4. fourth');
    expect(text).toContain('```ts\nconst a = 1;\n  // kept\n```');
    expect(text).toContain('```\nplain\n  too\n```');
    expect(text).toMatch(/\| Name \| Size \|\n\| --- \| --- \|\n\| a\\\|b \| 1 +\|/);
    expect(text).toContain('> said');
  });

  it('makes links and pictures absolute, and leaves out those that lead nowhere', async () => {
    const text = await markdown(
      `<a href="../x?y=1#z">up</a> <a href="//cdn.example.org/q">cdn</a> <a href="javascript:steal()">no</a>
       <img src="/logo.png" alt="Logo"><img src="data:image/png;base64,AAAA" alt="inline"><a href="mailto:a@b.example">mail</a>`,
    );
    expect(text).toContain('[up](https://example.com/x?y=1#z)');
    expect(text).toContain('[cdn](https://cdn.example.org/q)');
    expect(text).toContain('![Logo](https://example.com/logo.png)');
    expect(text).not.toMatch(/javascript:|base64/);
  });

  it('starts links from what the page says they start from', async () => {
    expect(await markdown('<head><base href="/other/"></head><body><a href="x">l</a></body>')).toContain(
      '[l](https://example.com/other/x)',
    );
  });

  it('is its article where it has one, with its title, without what is around', async () => {
    const html = `<html><head><title>The title</title></head><body><nav><a href="/a">Menu entry</a></nav>
      <article><p>${long}</p><p>${long}</p></article><footer>Imprint</footer></body></html>`;
    const { text, isArticle, title } = await pageContent(html, at, 'markdown');
    expect({ isArticle, title }).toEqual({ isArticle: true, title: 'The title' });
    expect(text).toMatch(/^# The title\n/);
    expect(text).toContain('A sentence of the article');
    expect(text).not.toMatch(/Menu entry|Imprint/);
  });

  it('is all of its body where it has no article', async () => {
    const links = Array.from({ length: 40 }, (_, i) => `<li><a href="/p/${i}">Entry ${i}</a></li>`).join('');
    expect((await pageContent('<h1>Index</h1><p>short</p>', at, 'markdown')).isArticle).toBe(false);
    const { text } = await pageContent(`<body><h1>Index</h1><ul>${links}</ul></body>`, at, 'markdown');
    expect(text).toContain('[Entry 0](https://example.com/p/0)');
    expect(text).toContain('[Entry 39](https://example.com/p/39)');
  });

  it('as plain text and as HTML without programs', async () => {
    const html =
      '<script>evil()</script><h1>Top</h1><p>One <b>two</b></p><p>three<br>four</p><table><tr><td>a</td><td>b</td></tr></table><pre>  in\n    deep</pre>';
    expect((await pageContent(html, at, 'text')).text).toBe('Top\n\nOne two\n\nthree\nfour\n\na\tb\n\n  in\n    deep');
    const asHtml = (await pageContent(html, at, 'html')).text;
    expect(asHtml).toContain('<p>One <b>two</b></p>');
    expect(asHtml).not.toContain('evil');
  });

  it('is read though it is broken, or nested beyond all measure', async () => {
    expect(await markdown('<p>open <b>never closed <i>at all')).toContain('never closed');
    expect(await markdown('no markup at all')).toBe('no markup at all');
    expect(await markdown('')).toBe('');
    const deep = `${'<div>'.repeat(50_000)}bottom`;
    await expect(markdown(`<body>${'<p>a<li>b'.repeat(5000)}`)).rejects.toThrow(/nested too deeply/);
    await expect(markdown(deep)).rejects.toThrow(/nested too deeply/);
  });
});

describe('what nobody sees is left out (S120)', () => {
  it.each([
    '<p style="display:none">secret</p>',
    '<p style="DISPLAY : NONE !important">secret</p>',
    '<p style="visibility:hidden">secret</p>',
    '<p style="opacity:0">secret</p>',
    '<p style="opacity: 0.0;">secret</p>',
    '<span style="font-size:0px">secret</span>',
    '<div style="height:0;overflow:hidden">secret</div>',
    '<div style="width:1px;height:1px;overflow:hidden">secret</div>',
    '<div style="position:absolute;left:-9999px">secret</div>',
    '<div style="text-indent:-9999px">secret</div>',
    '<div style="clip:rect(0,0,0,0)">secret</div>',
    '<div style="color:#fff;background:#ffffff">secret</div>',
    '<div style="color:transparent">secret</div>',
    '<div style="color:rgba(0,0,0,0)">secret</div>',
    '<p hidden>secret</p>',
    '<p aria-hidden="true">secret</p>',
    '<!-- secret -->',
    '<template>secret</template>',
    '<noscript>secret</noscript>',
    '<script type="text/plain">secret</script>',
    '<style>.x{content:"secret"}</style>',
    '<input type="hidden" value="secret">',
    '<style>.gone{display:none}</style><p class="gone">secret</p>',
    '<style>/* a */ p.a, #gone { color: red; visibility: hidden }</style><p id="gone">secret</p>',
    '<div style="display:none"><div><p>secret</p></div></div>',
    '<svg><text>secret</text></svg>',
    '<iframe srcdoc="secret">secret</iframe>',
  ])('%s', async (hidden) => {
    for (const format of ['markdown', 'text'] as const) {
      const { text } = await pageContent(`<body><p>seen</p>${hidden}<p>also</p></body>`, at, format);
      expect(text).toContain('seen');
      expect(text).toContain('also');
      expect(text).not.toContain('secret');
    }
    const { text } = await pageContent(`<body><p>seen</p>${hidden}</body>`, at, 'html');
    expect(text).not.toContain('secret');
  });

  it('how many places there were is told', async () => {
    const { hiddenParts } = await pageContent('<p>a</p><p hidden>b</p><p style="display:none">c</p>', at, 'markdown');
    expect(hiddenParts).toBe(2);
  });

  it('but not what only print or a state hides, nor the page as a whole', async () => {
    const sheet =
      '@media print { .a { display: none } } .a:hover { display: none } body { opacity: 0 } .b { display: block }';
    expect(
      await markdown(
        `<html><head><style>${sheet}</style></head><body style="visibility:hidden"><p class="a b">kept</p></body></html>`,
      ),
    ).toBe('kept');
  });

  it.each([
    'display:block',
    'opacity:0.5',
    'font-size:10px',
    'overflow:hidden',
    'left:-5px;position:absolute',
    'color:#fff',
    'height:0',
    '',
  ])('a style that hides nothing: %s', (style) => expect(hides(style)).toBe(false));

  it('letters without width and marks of direction are, those that a script needs are not', async () => {
    expect(await markdown('<p>pass\u200bword \u202eabc\u202c x\u{e0041}\u{e0042} soft\u00adhy\ufeffphen</p>')).toBe(
      'password abc x softhyphen',
    );
    expect(await markdown('<p>می\u200cخواهم 👩\u200d👩\u200d👧</p>')).toBe('می\u200cخواهم 👩\u200d👩\u200d👧');
  });
});
