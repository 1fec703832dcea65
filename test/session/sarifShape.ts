import * as z from 'zod';

/**
 * What a SARIF 2.1.0 log must be where ours says something, strictly: the properties by their names in the OASIS Standard,
 * its words for levels, lines from 1, URIs that are relative and encoded, and what GitHub code scanning asks of a result
 * besides (a location, a message).
 */
const level = z.enum(['none', 'note', 'warning', 'error']);
const message = z.strictObject({ text: z.string().min(1) });
const guid = /^[^/\s][^\s]*$/;

const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().nonnegative(),
  level,
  message,
  locations: z
    .array(
      z.strictObject({
        physicalLocation: z.strictObject({
          artifactLocation: z.strictObject({
            uri: z.string().regex(/^(?!\/)(?![A-Za-z][A-Za-z0-9+.-]*:)[A-Za-z0-9\-._~%!$&'()*+,;=@/]+$/),
            uriBaseId: z.literal('%SRCROOT%'),
          }),
          region: z.optional(z.strictObject({ startLine: z.int().min(1) })),
        }),
      }),
    )
    .min(1),
  partialFingerprints: z.record(z.string(), z.string().min(1)),
});

export const sarifShape = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z
        .strictObject({
          tool: z.strictObject({
            driver: z.strictObject({
              name: z.string().min(1),
              version: z.string().min(1),
              rules: z.array(
                z.strictObject({
                  id: z.string().min(1),
                  name: z.string().min(1),
                  shortDescription: message,
                  defaultConfiguration: z.strictObject({ level }),
                }),
              ),
            }),
          }),
          automationDetails: z.strictObject({ id: z.string().regex(guid) }),
          invocations: z.array(
            z.strictObject({
              executionSuccessful: z.boolean(),
              startTimeUtc: z.optional(z.iso.datetime()),
              endTimeUtc: z.optional(z.iso.datetime()),
              toolExecutionNotifications: z.array(z.strictObject({ level, message })),
            }),
          ),
          results: z.array(result),
        })
        .refine(
          ({ tool, results }) => results.every((one) => tool.driver.rules[one.ruleIndex]?.id === one.ruleId),
          'a result names a rule that is not at its place',
        ),
    )
    .min(1),
});
