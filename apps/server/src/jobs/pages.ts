/** Yields ids in order, in pages of `limit`: each page is read after the last id of the previous page. */
export async function* pagesOf(after: (id: string, limit: number) => Promise<string[]>, limit: number): AsyncGenerator<string[]> {
  for (let page = await after('', limit); page.length > 0; page = page.length < limit ? [] : await after(page.at(-1)!, limit)) yield page;
}
