import { displayWidth, makeSafe, safeText, sliceSafe, truncateToWidth, type Safe } from '@tenon/core';
import type { Theme } from '../../themes/theme.js';
import type { ShownOffers } from './completion-list.js';
import type { Offer } from './offer.js';

export const MOST_ROWS = 8;
/** Labels are never narrower where details are shown, and details are left out where less is left for them. */
const NARROWEST = 12;
const LONGEST = 400;

export interface OfferLook {
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
  readonly unicode: boolean;
}

/** The list as lines, with the chosen one among them. Pure. */
export function drawOffers({ offers, chosen }: ShownOffers, look: OfferLook): readonly Safe[] {
  const height = Math.min(MOST_ROWS, look.rows, offers.length);
  if (height < 1) return [];
  const first = Math.max(0, Math.min(chosen - Math.floor(height / 2), offers.length - height));
  const seen = offers.slice(first, first + height);
  const room = Math.max(1, look.columns - 2);
  const widest = Math.max(...seen.map(({ label }) => displayWidth(makeSafe(label, { maxLength: LONGEST }))));
  const hasDetails = seen.some(({ detail = '' }) => detail !== '') && room >= 2 * NARROWEST + 2;
  const labels = hasDetails ? Math.min(widest, Math.max(NARROWEST, Math.floor(room / 2))) : room;
  return seen.map((offer, index) => {
    const isChosen = first + index === chosen;
    const line = drawOffer(offer, { room, labels, hasDetails });
    const mark = isChosen ? (look.unicode ? safeText`❯ ` : safeText`> `) : safeText`  `;
    const whole = truncateToWidth(safeText`${mark}${line.label}`, look.columns);
    if (isChosen) return look.theme.paint('selected', safeText`${whole}${line.detail}`);
    return line.detail === '' ? whole : safeText`${whole}${look.theme.paint('dim', line.detail)}`;
  });
}

interface Widths {
  readonly room: number;
  readonly labels: number;
  readonly hasDetails: boolean;
}

function drawOffer(
  offer: Offer,
  { room, labels, hasDetails }: Widths,
): { readonly label: Safe; readonly detail: Safe } {
  const safe = makeSafe(offer.label, { maxLength: LONGEST });
  const label = offer.isPath === true ? cutStart(safe, labels) : truncateToWidth(safe, labels);
  const { detail = '' } = offer;
  if (!hasDetails || detail === '') return { label, detail: safeText`` };
  const gap = makeSafe(' '.repeat(Math.max(0, Math.min(40, labels - displayWidth(label)))));
  const words = makeSafe(detail, { maxLength: LONGEST });
  return { label, detail: truncateToWidth(safeText`${gap}  ${words}`, room - displayWidth(label)) };
}

/** The end of a path says which one it is. */
function cutStart(text: Safe, width: number): Safe {
  if (displayWidth(text) <= width) return text;
  let start: number = text.length;
  for (const char of Array.from(text).toReversed()) {
    if (displayWidth(sliceSafe(text, start - char.length)) > width - 1) break;
    start -= char.length;
  }
  return safeText`…${sliceSafe(text, start)}`;
}
