// Makes a comment of a review: node review-comment.mjs < review.json > comment.md
// It runs where a token is, so it takes nothing of the review on trust: every text becomes plain text.
import { readFileSync } from 'node:fs';

const { summary, findings } = JSON.parse(readFileSync(0, 'utf8'));

/** Neither markup, nor a mention, nor a link, nor a picture that is loaded from somewhere: letters as they are. */
function plain(text) {
  const oneLine = String(text)
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .slice(0, 1000);
  const marked = oneLine.replaceAll(/[\\`*_{}[\]()<>#+!|~&-]/g, (mark) => `&#${mark.codePointAt(0)};`);
  return marked
    .replaceAll('@', '@\u200b')
    .replaceAll(/:\/\//g, ':\u200b//')
    .replaceAll(/\bwww\./gi, 'www\u200b.');
}

const lines = findings
  .slice(0, 10)
  .map(
    ({ severity, file, line, problem }) => `- **${plain(severity)}** ${plain(file)}:${Number(line)}: ${plain(problem)}`,
  );
console.log(
  ['**Review by Tenon.** A model wrote it; a person decides.', '', plain(summary), '', ...lines].join('\n').trimEnd(),
);
