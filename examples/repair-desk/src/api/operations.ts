import { graphql } from '../generated/index.js';

/** What the form shows of a repair. */
export const repairParts = graphql(`
  fragment RepairParts on AssetRepair {
    id
    displayTitle
    version
    actions { action allowed reason }
    status
    asset
    repairStatus
    failureDate
    completionDate
    repairCost
    company
    description
    actionsPerformed
    consumedItems { id itemCode warehouse consumedQuantity serialNo valuationRate totalValue }
  }
`);

/** A row of the list. */
export const repairRow = graphql(`
  fragment RepairRow on AssetRepair {
    id
    displayTitle
    asset
    failureDate
    repairStatus
    repairCost
    status
    consumedItems { id itemCode }
  }
`);

/** A page of the list, and whether this key may add to it. */
export const listRepairs = graphql(`
  query Repairs($where: AssetRepairFilter, $search: String, $after: String) {
    assetRepairs(first: 10, after: $after, where: $where, search: $search) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { ...RepairRow }
    }
    viewer { mayCreate: may(type: ASSET_REPAIR, action: CREATE) }
  }
`);

export const readRepair = graphql(`
  query Repair($id: ID!) {
    assetRepair(id: $id) { ...RepairParts }
  }
`);

/** Who has changed a repair, the newest change first; also of one that is deleted. */
export const readAuthors = graphql(`
  query Authors($id: ID!) {
    history(id: $id, first: 50) {
      nodes { version at action by { keyName } }
    }
  }
`);

/** Problems that the user can correct are part of the answer; other errors are those of the request. */
export const mistake = graphql(`
  fragment Mistake on UserError { code path message }
`);

export const saved = graphql(`
  fragment Saved on AssetRepairPayload {
    record { ...RepairParts }
    userErrors { ...Mistake }
  }
`);

export const createRepair = graphql(`
  mutation CreateRepair($input: CreateAssetRepairInput!) {
    done: createAssetRepair(input: $input) { ...Saved }
  }
`);

export const saveRepair = graphql(`
  mutation SaveRepair($id: ID!, $input: SaveAssetRepairInput!, $expectedVersion: Int!) {
    done: saveAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion) { ...Saved }
  }
`);

export const submitRepair = graphql(`
  mutation SubmitRepair($id: ID!, $expectedVersion: Int!) {
    done: submitAssetRepair(id: $id, expectedVersion: $expectedVersion) { ...Saved }
  }
`);

export const cancelRepair = graphql(`
  mutation CancelRepair($id: ID!, $expectedVersion: Int!) {
    done: cancelAssetRepair(id: $id, expectedVersion: $expectedVersion) { ...Saved }
  }
`);

export const deleteRepair = graphql(`
  mutation DeleteRepair($id: ID!, $expectedVersion: Int!) {
    done: deleteAssetRepair(id: $id, expectedVersion: $expectedVersion) {
      userErrors { ...Mistake }
    }
  }
`);

/** The changes of one repair and its lines. */
export const followRepair = graphql(`
  subscription RepairChanged($id: ID!, $after: String) {
    assetRepairChanged(id: $id, after: $after) {
      position
      notice
      deletedId
      record { ...RepairParts }
    }
  }
`);

/** The changes of all repairs that the list's filter lets through, and of those that leave it. */
export const followRepairs = graphql(`
  subscription RepairsChanged($where: AssetRepairFilter, $after: String) {
    assetRepairChanged(where: $where, after: $after) {
      position
      notice
      record { ...RepairRow }
    }
  }
`);

/** Who asks, as what, and which fields are hidden from them: they are null without being empty. */
export const readViewer = graphql(`
  query Viewer {
    viewer {
      name
      scopes
      roles
      hidden: hiddenFields(type: ASSET_REPAIR)
      hiddenOfLines: hiddenFields(type: ASSET_REPAIR_CONSUMED_ITEM)
    }
  }
`);
