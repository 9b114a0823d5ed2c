/** Does the same for every item at once: a database that syncs its writes commits many together, so tests wait less. */
export async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  await Promise.all(items.map(work));
}
