/** The tabs that GraphiQL opens with: each teaches one thing, and runs as it is. */
interface Tab {
  query: string;
  variables?: string;
}

const input = {
  asset: 'LATHE-7',
  failureDate: '2026-11-20',
  repairCost: 120.5,
  consumedItems: [
    { itemCode: 'BELT', warehouse: 'Stores', totalValue: 80 },
    { itemCode: 'OIL', warehouse: 'Stores' },
  ],
};

export const tabs: Tab[] = [
  {
    query: `# Records with their lines: one SQL statement.
# Ctrl-Enter runs it. Ctrl-Space completes what you type.
query NestedRead {
  assetRepairs(first: 5) {
    totalCount
    nodes {
      id
      asset
      status
      repairCost
      consumedItems {
        itemCode
        totalValue
        assetRepair { asset }
      }
    }
  }
}
`,
  },
  {
    query: `# A document with its lines, in one transaction.
mutation CreateWithLines($input: CreateAssetRepairInput!) {
  createAssetRepair(input: $input) {
    record {
      id version status allowedActions
      consumedItems { idx itemCode totalValue }
    }
  }
}
`,
    variables: JSON.stringify({ input }, null, 2),
  },
  {
    query: `# Submits a draft: without an id in the variables, the
# newest draft, which this page looks up.
mutation SubmitRepair($id: ID!) {
  submitAssetRepair(id: $id) {
    record { id status version allowedActions }
  }
}
`,
  },
  {
    query: `# Pages are Relay connections. Put endCursor into the
# variables as "after", and you get the next page.
query Page($after: String) {
  assetRepairs(first: 2, after: $after, orderBy: [{ field: REPAIR_COST, direction: DESC }]) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { asset repairCost createdAt }
  }
}
`,
    variables: '{\n  "after": null\n}',
  },
  {
    query: `# Conditions side by side must all hold.
# They may ask about lines too.
query Filter {
  assetRepairs(
    first: 10
    where: {
      repairCost: { gte: 100 }
      consumedItems: { some: { itemCode: { startsWith: "B" } } }
      not: { status: { eq: CANCELLED } }
    }
  ) {
    totalCount
    nodes { asset repairCost consumedItems { itemCode } }
  }
}
`,
  },
  {
    query: `# Counts and sums, as a whole and in groups.
query Aggregate {
  assetRepairAggregate(
    groupBy: [{ field: STATUS }, { field: FAILURE_DATE, by: MONTH }]
    orderBy: [{ field: FAILURE_DATE, direction: DESC }]
  ) {
    count
    repairCost { sum }
    groups {
      status { key } failureDate { key }
      count
      repairCost { avg }
    }
  }
}
`,
  },
  {
    query: `# A save over somebody else's change is refused: this one
# read version 0, which is never the present one. The error
# names the version there is. Without an id in the
# variables, it is the newest draft.
mutation StaleSave($id: ID!) {
  saveAssetRepair(id: $id, expectedVersion: 0, input: { description: "Belt worn out" }) {
    record { id version description }
  }
}
`,
  },
];

/** Works only where the journal is kept. */
export const liveTab: Tab = {
  query: `# Reports changes as they happen, until you open another
# tab. Run it, then create a repair in a second window.
subscription Live {
  assetRepairChanged {
    position
    notice
    action
    fields
    record { id asset status repairCost }
  }
}
`,
};
