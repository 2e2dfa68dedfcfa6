// SPDX-License-Identifier: Apache-2.0
/** The fields of Kubernetes' kinds and their types. */
@NullMarked
package dev.mooring.clusterstore.schema;

import org.jspecify.annotations.NullMarked;
