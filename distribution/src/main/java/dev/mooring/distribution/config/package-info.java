// SPDX-License-Identifier: Apache-2.0
/**
 * The options of long-running commands from one YAML file and the environment, checked against the schema of all options.
 */
@NullMarked
package dev.mooring.distribution.config;

import org.jspecify.annotations.NullMarked;
