import { describe, expect, it } from 'vitest';
import { mediaTokens, textTokens, TokenEstimator } from './token-estimate.js';

describe('an estimate of tokens', () => {
  it.each([
    ['const answer = await ask(model, request);\n'.repeat(100), 900, 1300],
    ['Über die Größe der Straßen gäbe es viel zu sagen. '.repeat(100), 1000, 2000],
    ['讨论系统架构的性能与可靠性。'.repeat(100), 900, 1800],
    ['Проверка длины текста на русском языке. '.repeat(100), 1200, 2400],
  ])('is near what models count: %#', (text, least, most) => {
    expect(textTokens(text)).toBeGreaterThan(least);
    expect(textTokens(text)).toBeLessThan(most);
  });

  it('takes media by their kind and size, not by their text', () => {
    const data = 'A'.repeat(4_000_000);
    expect(mediaTokens({ mimeType: 'image/png', data })).toBe(1600);
    expect(mediaTokens({ mimeType: 'image/png', data: 'AAAA' })).toBe(800);
    expect(mediaTokens({ mimeType: 'application/pdf', data })).toBe(100_000);
    expect(mediaTokens({ mimeType: 'audio/wav', data })).toBe(6000);
  });

  it('learns from what the provider counts, within limits', () => {
    const estimator = new TokenEstimator();
    estimator.calibrate(100_000, 150_000);
    expect(estimator.scaled(1000)).toBeCloseTo(1498, -1);
    estimator.calibrate(100_000, 0);
    expect(estimator.scaled(1000)).toBeCloseTo(1498, -1);
    estimator.calibrate(100_000, 100_000_000);
    expect(estimator.scaled(1000)).toBe(3000);
    // A small request says little.
    estimator.calibrate(10, 100);
    expect(estimator.scaled(1000)).toBeLessThan(1200);
    estimator.forget();
    expect(estimator.scaled(1000)).toBe(1000);
  });
});
