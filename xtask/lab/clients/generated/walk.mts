// Reads three pages of filtered transactions with openapi-fetch and the types that openapi-typescript generated.
//
// The rows of the three pages must be the rows of one page that is as long, and an error must have the documented form.
// The environment variables BASE and TOKEN name the server and the token.

import { deepStrictEqual, ok, strictEqual } from "node:assert";
import createClient from "openapi-fetch";
import type { components, operations, paths } from "./schema.d.ts";

type Filters = NonNullable<operations["transactions"]["parameters"]["query"]>;
type Page = components["schemas"]["TransactionPage"];

const PAGES = 3;
const PAGE_SIZE = 5;
const MAX_AMOUNT_CENTS = 20_000;
const filters = {
  timeRange: "1y",
  categories: ["GROCERIES", "RESTAURANT"],
  types: ["EXPENSE"],
  maxAmountCents: MAX_AMOUNT_CENTS,
} satisfies Filters;

const { BASE: baseUrl, TOKEN: token } = process.env;
ok(baseUrl && token, "BASE and TOKEN must be set");
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

async function page(query: Filters): Promise<Page> {
  const { data, error } = await client.GET("/v1/transactions", { params: { query: { ...filters, ...query } } });
  if (error) throw new Error(`${error.error.code}: ${error.error.message}`);
  return data;
}

const rows: Page["transactions"] = [];
const first = await page({ pageSize: PAGE_SIZE });
for (let number = 1, read = first; number <= PAGES; number += 1) {
  strictEqual(read.transactions.length, PAGE_SIZE, `page ${number}`);
  rows.push(...read.transactions);
  const { hasMore, nextCursor } = read.pagination;
  ok(hasMore && nextCursor, `page ${number} is the last page`);
  if (number < PAGES) read = await page({ pageSize: PAGE_SIZE, cursor: JSON.stringify(nextCursor) });
}
deepStrictEqual(rows, (await page({ pageSize: PAGES * PAGE_SIZE })).transactions);
strictEqual(new Set(rows.map((row) => row.id)).size, PAGES * PAGE_SIZE);
const categories: string[] = filters.categories;
ok(rows.every((row) => categories.includes(row.category) && row.amount_cents <= MAX_AMOUNT_CENTS));

const { error, response } = await client.GET("/v1/transactions", { params: { query: { pageSize: 0 } } });
strictEqual(response.status, 400);
ok(error);
strictEqual(error.error.code, "INVALID_REQUEST");
const { details } = error.error;
ok(Array.isArray(details));
strictEqual(details[0]?.parameter, "pageSize");

const cents = rows.reduce((sum, row) => sum + row.amount_cents, 0);
console.log(`${PAGES} pages, ${rows.length} transactions, ${cents} cents`);
