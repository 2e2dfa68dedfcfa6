// SPDX-License-Identifier: Apache-2.0
/**
 * The contract with storage back-ends. A plugin implements {@link dev.mooring.storage.spi.StoragePlugin} and the {@link
 * dev.mooring.storage.spi.Capability} interfaces for what its storage can do; every mutating call is given an {@link
 * dev.mooring.storage.spi.OperationContext} and answers with an {@link dev.mooring.storage.spi.Outcome}.
 */
@NullMarked
package dev.mooring.storage.spi;

import org.jspecify.annotations.NullMarked;
