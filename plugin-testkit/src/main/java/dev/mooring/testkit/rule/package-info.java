// SPDX-License-Identifier: Apache-2.0
/** The rules of the contract with plugins, and what is said when one is broken. */
@NullMarked
package dev.mooring.testkit.rule;

import org.jspecify.annotations.NullMarked;
