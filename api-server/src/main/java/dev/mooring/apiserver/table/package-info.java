// SPDX-License-Identifier: Apache-2.0
/** Objects as rows, with Kubernetes' columns. */
@NullMarked
package dev.mooring.apiserver.table;

import org.jspecify.annotations.NullMarked;
