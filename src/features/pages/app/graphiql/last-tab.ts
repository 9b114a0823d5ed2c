interface Tabs {
  activeTabIndex: number;
  tabs: { query: string | null; variables: string | null }[];
}

/**
 * The tab that was open before a reload. GraphiQL keeps its tabs (the operations, neither headers nor answers), but opens
 * an empty one in addition, unless it is told which of them to begin with.
 */
export function lastTab(): { query?: string; variables?: string } {
  try {
    const kept: Tabs = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '');
    const { query, variables } = kept.tabs[kept.activeTabIndex] ?? {};
    return { query: query ?? undefined, variables: variables ?? undefined };
  } catch {
    return {};
  }
}
