// SPDX-License-Identifier: Apache-2.0
/** Kinds that users define: definitions, their schemas, and the rules of objects that follow from them. Pure, but for one register. */
@NullMarked
package dev.mooring.clusterstore.customresources;

import org.jspecify.annotations.NullMarked;
