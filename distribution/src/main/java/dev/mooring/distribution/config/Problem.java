// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

/**
 * What is wrong with a configuration.
 *
 * @param where the file and the line, such as {@code mooring.yaml:7}, or {@code environment}
 * @param key what is wrong there, such as {@code controller.root}; empty for all of it
 * @param rule what must hold; shows no value of a foreign file
 */
public record Problem(String where, String key, String rule) {
    @Override
    public String toString() {
        return key.isEmpty() ? where + ": " + rule : where + ": " + key + ": " + rule;
    }
}
