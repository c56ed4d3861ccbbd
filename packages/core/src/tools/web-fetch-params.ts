export interface WebFetchToolParams {
  url: string;
  /** What is wanted of the page: a pass of the model answers it from the whole text. */
  prompt?: string;
  format?: 'markdown' | 'text' | 'html' | 'raw';
  /** Characters of the result to skip. */
  offset?: number;
  /** Characters of the result at most. */
  limit?: number;
}
