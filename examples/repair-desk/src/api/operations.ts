import { gql } from '@urql/core';
import type { Repair } from './repair.js';

const repairParts = gql`
  fragment RepairParts on AssetRepair {
    id
    version
    status
    displayTitle
    allowedActions
    asset
    repairStatus
    failureDate
    completionDate
    repairCost
    company
    description
    actionsPerformed
    consumedItems {
      id
      itemCode
      warehouse
      consumedQuantity
      valuationRate
      totalValue
    }
  }
`;

/** A row of the list. */
export interface RepairRow {
  id: string;
  asset: string;
  failureDate: string;
  repairStatus: string;
  repairCost: number;
  status: string;
  consumedItems: { id: string; itemCode: string }[];
}

export const listRepairs = gql<
  {
    assetRepairs: {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      nodes: RepairRow[];
    };
  },
  { where: Record<string, object>; after: string | null }
>`
  query Repairs($where: AssetRepairFilter, $after: String) {
    assetRepairs(first: 10, after: $after, where: $where) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id asset failureDate repairStatus repairCost status consumedItems { id itemCode } }
    }
  }
`;

export const readRepair = gql<{ assetRepair: Repair | null }, { id: string }>`
  query Repair($id: ID!) {
    assetRepair(id: $id) { ...RepairParts }
  }
  ${repairParts}
`;

export const saveRepair = gql<
  { saveAssetRepair: { record: Repair } | null },
  { id: string; input: object; expectedVersion: number }
>`
  mutation SaveRepair($id: ID!, $input: SaveAssetRepairInput!, $expectedVersion: Int!) {
    saveAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion) {
      record { ...RepairParts }
    }
  }
  ${repairParts}
`;

export const submitRepair = gql<{ submitAssetRepair: Repair | null }, { id: string; expectedVersion: number }>`
  mutation SubmitRepair($id: ID!, $expectedVersion: Int!) {
    submitAssetRepair(id: $id, expectedVersion: $expectedVersion) { ...RepairParts }
  }
  ${repairParts}
`;
