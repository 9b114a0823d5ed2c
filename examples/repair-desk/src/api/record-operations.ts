import { graphql } from '../generated/index.js';

/** What a link shows of a record of any type: one fragment, and one component, for all of them. */
export const recordName = graphql(`
  fragment RecordName on BusinessRecord {
    __typename
    id
    displayTitle
    ... on AssetRepair { asset }
    ... on SerialNo { serialNo }
  }
`);

/**
 * The fields of the heading of a page. A link does not ask for `actions`, because they are computed for each record.
 */
export const recordHeading = graphql(`
  fragment RecordHeading on BusinessRecord {
    ...RecordName
    version
    actions { action allowed reason }
    ... on BusinessDocument { status }
  }
`);

/** The lines that name a record, with their repairs. */
export const usedIn = graphql(`
  fragment UsedIn on AssetRepairConsumedItemConnection {
    totalCount
    nodes { id itemCode assetRepair { ...RecordName status } }
  }
`);

/** A record of any type. */
export const readRecord = graphql(`
  query Record($id: ID!) {
    node(id: $id) {
      ...RecordHeading
      ... on SerialNo { usedIn: assetRepairConsumedItemsBySerialNo(first: 20) { ...UsedIn } }
      ... on SerialAndBatchBundle {
        usedIn: assetRepairConsumedItemsBySerialAndBatchBundle(first: 20) { ...UsedIn }
      }
    }
  }
`);

/**
 * The Serial Nos that the lines of a repair name; null if a text names none. They are queried separately, because they
 * belong to another area, which the key may not be allowed to read.
 */
export const readSerialNos = graphql(`
  query SerialNos($id: ID!) {
    assetRepair(id: $id) {
      id
      consumedItems { id serialNo serialNoRecord { ...RecordName } }
    }
  }
`);

/** What the key may do, and whether the gateway searches: if not, it refuses even a search for no records. */
export const readOffer = graphql(`
  query Offer {
    viewer {
      mayCreate: may(type: ASSET_REPAIR, action: CREATE)
      mayReadSerialNos: may(type: SERIAL_NO, action: READ)
    }
    searched: assetRepairs(search: "a", first: 0) { __typename }
  }
`);
