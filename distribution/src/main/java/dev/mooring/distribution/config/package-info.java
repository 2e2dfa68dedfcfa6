// SPDX-License-Identifier: Apache-2.0
/** What the long-running commands are told otherwise than by flags: one YAML file and the environment. */
@NullMarked
package dev.mooring.distribution.config;

import org.jspecify.annotations.NullMarked;
