// SPDX-License-Identifier: Apache-2.0
/** Objects as rows, with Kubernetes' columns. */
@NullMarked
package dev.mooring.distribution.standalone.table;

import org.jspecify.annotations.NullMarked;
