// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

/**
 * What is wrong with one of several values.
 *
 * @param line where it stands
 * @param key which it is, below the option's key
 * @param rule what must hold instead
 */
public record Objection(int line, String key, String rule) {}
