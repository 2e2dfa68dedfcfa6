// SPDX-License-Identifier: Apache-2.0
/**
 * The resources that paths name: kinds with their groups, versions, names and sub-resources.
 */
@NullMarked
package dev.mooring.apiserver.resource;

import org.jspecify.annotations.NullMarked;
