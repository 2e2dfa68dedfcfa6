// SPDX-License-Identifier: Apache-2.0
/** What operators see of a running process: its metrics and its health. */
@NullMarked
package dev.mooring.distribution.operations;

import org.jspecify.annotations.NullMarked;
