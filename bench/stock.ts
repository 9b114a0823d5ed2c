/**
 * The stock stack: Prisma's own SQLite adapter, Pothos and Yoga as their guides recommend, over the same tables, with
 * only what the bench needs. Reads DATABASE_URL, PORT and API_KEY.
 */
import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { datamodel } from '../src/generated/datamodel.js';
import type PrismaTypes from '../src/generated/pothos-types.js';
import { PrismaClient } from '../src/generated/sqlite/client.js';
import { createIds } from '../src/model/ids.js';
import { PrismaBetterSqlite3 } from '../test/support/stock-adapter.js';
import { numbers, optionalNumbers, optionalTexts, texts, yesOrNo } from './stock-quotation.js';

const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: process.env.DATABASE_URL ?? '' }) });
// The same durability as the others; the adapter keeps SQLite's default, which syncs only now and then.
await prisma.$queryRawUnsafe('PRAGMA synchronous = FULL');

const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  Scalars: { DateTime: { Input: Date; Output: Date } };
}>({ plugins: [PrismaPlugin], prisma: { client: prisma, dmmf: { datamodel } } });

builder.scalarType('DateTime', { serialize: (value) => value.toISOString() });

builder.prismaObject('AssetRepair', {
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.exposeString('status'),
    failureDate: t.exposeString('failureDate'),
    completionDate: t.exposeString('completionDate', { nullable: true }),
    repairStatus: t.exposeString('repairStatus'),
    description: t.exposeString('description', { nullable: true }),
    actionsPerformed: t.exposeString('actionsPerformed', { nullable: true }),
    downtime: t.exposeString('downtime', { nullable: true }),
    repairCost: t.exposeFloat('repairCost'),
    asset: t.exposeString('asset'),
    assetName: t.exposeString('assetName', { nullable: true }),
    capitalizeRepairCost: t.exposeBoolean('capitalizeRepairCost'),
    costCenter: t.exposeString('costCenter', { nullable: true }),
    project: t.exposeString('project', { nullable: true }),
    totalRepairCost: t.exposeFloat('totalRepairCost', { nullable: true }),
    increaseInAssetLife: t.exposeInt('increaseInAssetLife', { nullable: true }),
    company: t.exposeString('company', { nullable: true }),
    consumedItemsCost: t.exposeFloat('consumedItemsCost', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    consumedItems: t.relation('consumedItems', { query: { orderBy: { idx: 'asc' } } }),
    purchaseInvoices: t.relation('purchaseInvoices', { query: { orderBy: { idx: 'asc' } } }),
  }),
});

builder.prismaObject('AssetRepairConsumedItem', {
  fields: (t) => ({
    id: t.exposeID('id'),
    idx: t.exposeInt('idx'),
    assetRepairId: t.exposeID('assetRepairId'),
    valuationRate: t.exposeFloat('valuationRate', { nullable: true }),
    consumedQuantity: t.exposeString('consumedQuantity', { nullable: true }),
    totalValue: t.exposeFloat('totalValue', { nullable: true }),
    serialNo: t.exposeString('serialNo', { nullable: true }),
    itemCode: t.exposeString('itemCode'),
    serialAndBatchBundle: t.exposeString('serialAndBatchBundle', { nullable: true }),
    warehouse: t.exposeString('warehouse'),
  }),
});

builder.prismaObject('AssetRepairPurchaseInvoice', {
  fields: (t) => ({
    id: t.exposeID('id'),
    idx: t.exposeInt('idx'),
    assetRepairId: t.exposeID('assetRepairId'),
    purchaseInvoice: t.exposeString('purchaseInvoice', { nullable: true }),
    expenseAccount: t.exposeString('expenseAccount'),
    repairCost: t.exposeFloat('repairCost'),
  }),
});

builder.prismaObject('Quotation', {
  fields: (t) => ({
    id: t.exposeID('id'),
    ...Object.fromEntries(texts.map((name) => [name, t.exposeString(name)])),
    ...Object.fromEntries(optionalTexts.map((name) => [name, t.exposeString(name, { nullable: true })])),
    ...Object.fromEntries(numbers.map((name) => [name, t.exposeFloat(name)])),
    ...Object.fromEntries(optionalNumbers.map((name) => [name, t.exposeFloat(name, { nullable: true })])),
    ...Object.fromEntries(yesOrNo.map((name) => [name, t.exposeBoolean(name)])),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const consumedItemInput = builder.inputType('ConsumedItemInput', {
  fields: (t) => ({
    valuationRate: t.float(),
    consumedQuantity: t.string(),
    totalValue: t.float(),
    itemCode: t.string({ required: true }),
    warehouse: t.string({ required: true }),
  }),
});

const purchaseInvoiceInput = builder.inputType('PurchaseInvoiceInput', {
  fields: (t) => ({
    purchaseInvoice: t.string(),
    expenseAccount: t.string({ required: true }),
    repairCost: t.float({ required: true }),
  }),
});

const createInput = builder.inputType('CreateAssetRepairInput', {
  fields: (t) => ({
    failureDate: t.string({ required: true }),
    description: t.string(),
    repairCost: t.float({ required: true }),
    asset: t.string({ required: true }),
    company: t.string(),
    consumedItems: t.field({ type: [consumedItemInput] }),
    purchaseInvoices: t.field({ type: [purchaseInvoiceInput] }),
  }),
});

const updateInput = builder.inputType('UpdateAssetRepairInput', {
  fields: (t) => ({ repairStatus: t.string({ required: true }), actionsPerformed: t.string() }),
});

const newest = { id: 'desc' } as const;

builder.queryType({
  fields: (t) => ({
    assetRepair: t.prismaField({
      type: 'AssetRepair',
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _, { id }) => prisma.assetRepair.findUnique({ ...query, where: { id } }),
    }),
    assetRepairs: t.prismaField({
      type: ['AssetRepair'],
      args: { first: t.arg.int({ required: true }), offset: t.arg.int() },
      resolve: (query, _, { first, offset }) =>
        prisma.assetRepair.findMany({ ...query, take: first, skip: offset ?? 0, orderBy: newest }),
    }),
    assetRepairsTotal: t.int({ resolve: () => prisma.assetRepair.count() }),
    quotations: t.prismaField({
      type: ['Quotation'],
      args: { first: t.arg.int({ required: true }) },
      resolve: (query, _, { first }) => prisma.quotation.findMany({ ...query, take: first, orderBy: newest }),
    }),
    quotationsTotal: t.int({ resolve: () => prisma.quotation.count() }),
  }),
});

const ids = createIds();

builder.mutationType({
  fields: (t) => ({
    createAssetRepair: t.prismaField({
      type: 'AssetRepair',
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: (query, _, { input: { consumedItems, purchaseInvoices, ...repair } }) => {
        const { id, createdAt } = ids.next('asset-repair');
        const line = (slug: string, index: number) => ({ id: ids.next(slug).id, idx: index + 1 });
        const items = consumedItems?.map((item, index) => ({ ...line('asset-repair-consumed-item', index), ...item }));
        const invoices = purchaseInvoices?.map((invoice, index) => ({
          ...line('asset-repair-purchase-invoice', index),
          ...invoice,
        }));
        return prisma.assetRepair.create({
          ...query,
          data: {
            id,
            createdAt,
            updatedAt: createdAt,
            ...repair,
            consumedItems: items && { create: items },
            purchaseInvoices: invoices && { create: invoices },
          },
        });
      },
    }),
    updateAssetRepair: t.prismaField({
      type: 'AssetRepair',
      args: { id: t.arg.id({ required: true }), input: t.arg({ type: updateInput, required: true }) },
      resolve: (query, _, { id, input }) =>
        prisma.assetRepair.update({ ...query, where: { id }, data: { ...input, updatedAt: new Date() } }),
    }),
  }),
});

const authorization = `Bearer ${process.env.API_KEY}`;
const yoga = createYoga({
  schema: builder.toSchema(),
  graphiql: false,
  landingPage: false,
  context: ({ request }) => {
    if (request.headers.get('authorization') !== authorization) throw new GraphQLError('No such key');
    return {};
  },
});
createServer(yoga).listen(Number(process.env.PORT), process.env.HOST);
