/** A small app's operations, as its components would hold them. `relay.test.ts` compiles and runs them. */
import { graphql } from 'relay-runtime';

export const repairsQuery = graphql`
  query operationsRepairsQuery($count: Int!, $cursor: String) {
    ...operationsRepairList @arguments(count: $count, cursor: $cursor)
  }
`;

export const repairList = graphql`
  fragment operationsRepairList on Query
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" })
  @refetchable(queryName: "operationsRepairListPaginationQuery") {
    assetRepairs(first: $count, after: $cursor) @connection(key: "RepairList_assetRepairs") {
      edges {
        node {
          id
          ...operationsRepairRow
        }
      }
    }
  }
`;

export const repairRow = graphql`
  fragment operationsRepairRow on AssetRepair @refetchable(queryName: "operationsRepairRowRefetchQuery") {
    asset
    status
    consumedItems(limit: 5) {
      itemCode
    }
  }
`;

export const submitRepair = graphql`
  mutation operationsSubmitRepairMutation($id: ID!) {
    submitAssetRepair(id: $id) {
      record {
        ...operationsRepairRow
      }
    }
  }
`;

export const deleteRepair = graphql`
  mutation operationsDeleteRepairMutation($id: ID!, $connections: [ID!]!) {
    deleteAssetRepair(id: $id) {
      deletedId @deleteEdge(connections: $connections)
      userErrors {
        message
      }
    }
  }
`;

export const deleteLine = graphql`
  mutation operationsDeleteLineMutation($id: ID!) {
    deleteAssetRepairConsumedItem(id: $id) {
      deletedId @deleteRecord
      parent {
        ... on BusinessRecord {
          version
        }
      }
    }
  }
`;

export const createRepair = graphql`
  mutation operationsCreateRepairMutation($input: CreateAssetRepairInput!, $connections: [ID!]!) {
    createAssetRepair(input: $input) {
      record @prependNode(connections: $connections, edgeTypeName: "AssetRepairEdge") {
        id
        ...operationsRepairRow
      }
      userErrors {
        code
        path
        message
      }
    }
  }
`;

export const saveRepair = graphql`
  mutation operationsSaveRepairMutation($id: ID!, $input: SaveAssetRepairInput!) {
    saveAssetRepair(id: $id, input: $input) {
      record {
        ...operationsRepairRow
      }
      changes {
        lines {
          deleted @deleteRecord
        }
      }
      userErrors {
        code
        path
      }
    }
  }
`;

export const numbersQuery = graphql`
  query operationsNumbersQuery {
    assetRepairAggregate(groupBy: { field: STATUS }) {
      count
      failureDate {
        max
      }
      groups {
        status {
          key
        }
        count
      }
    }
  }
`;

/** One component for records of any type. */
export const heading = graphql`
  fragment operationsHeading on BusinessRecord @refetchable(queryName: "operationsHeadingRefetchQuery") {
    version
    displayTitle
    ... on MainRecord {
      updatedAt
    }
    ... on BusinessDocument {
      status
      allowedActions
    }
  }
`;

export const mixedQuery = graphql`
  query operationsMixedQuery($ids: [ID!]!, $words: String!) {
    nodes(ids: $ids) {
      id
      ...operationsHeading @alias(as: "heading")
    }
    search(query: $words, first: 10) {
      totalCount
      edges {
        node {
          id
          ...operationsHeading
        }
      }
    }
  }
`;

export const cardsQuery = graphql`
  query operationsCardsQuery($status: DocumentStatus!) {
    jobCards(first: 1, where: { status: { eq: $status } }) {
      nodes {
        serialNoRecord {
          serialNo
          jobCardsBySerialNo(first: 5) @connection(key: "SerialNo_jobCardsBySerialNo") {
            edges {
              node {
                operation
                status
              }
            }
          }
        }
      }
    }
  }
`;

export const submitCard = graphql`
  mutation operationsSubmitCardMutation($id: ID!) {
    submitJobCard(id: $id) {
      record {
        status
      }
      userErrors {
        code
        currentState
        allowedActions
      }
    }
  }
`;
