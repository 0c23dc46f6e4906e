/** Ids in ascending order, in pages: each page starts after the last id of the page before. */
export async function* pagesOf(after: (id: string, limit: number) => Promise<string[]>, limit: number): AsyncGenerator<string[]> {
  for (let page = await after('', limit); page.length > 0; page = page.length < limit ? [] : await after(page.at(-1)!, limit)) yield page;
}
