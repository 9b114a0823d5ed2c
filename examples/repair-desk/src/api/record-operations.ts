import { graphql } from '../generated/index.js';

/** What a heading or a link shows of a record of any type: one fragment, and one component, for all of them. */
export const recordHeading = graphql(`
  fragment RecordHeading on Record {
    __typename
    id
    version
    displayTitle
    actions { action allowed reason }
    ... on Document { status }
    ... on AssetRepair { asset }
    ... on SerialNo { serialNo }
  }
`);

/** The way back from a record to the lines that name it, and to their repairs. */
export const usedIn = graphql(`
  fragment UsedIn on AssetRepairConsumedItemConnection {
    totalCount
    nodes { id itemCode assetRepair { ...RecordHeading } }
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
 * The Serial Nos that the lines of a repair name; null where a text names none. Asked for apart from the repair, because
 * they belong to another area, which the key may not be allowed to read.
 */
export const readSerialNos = graphql(`
  query SerialNos($id: ID!) {
    assetRepair(id: $id) {
      id
      consumedItems { id serialNo serialNoRecord { ...RecordHeading } }
    }
  }
`);

/** What the key may do, and whether the gateway searches: where it does not, it refuses even a page of which nothing is read. */
export const readOffer = graphql(`
  query Offer {
    viewer {
      mayCreate: may(type: AssetRepair, operation: CREATE)
      mayReadSerialNos: may(type: SerialNo, operation: READ)
    }
    searched: assetRepairs(search: "a", first: 0) { __typename }
  }
`);
