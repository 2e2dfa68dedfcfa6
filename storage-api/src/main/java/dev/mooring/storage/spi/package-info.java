// SPDX-License-Identifier: Apache-2.0
/**
 * The contract with storage back-ends. A plugin implements {@link dev.mooring.storage.spi.StoragePlugin} and the {@link
 * dev.mooring.storage.spi.Capability} interfaces for what its storage can do; every mutating call is given an {@link
 * dev.mooring.storage.spi.OperationContext} and answers with an {@link dev.mooring.storage.spi.Outcome}.
 *
 * <p>What is written here and in {@link dev.mooring.storage.spi.host} is the whole contract. References such as {@code semantics/plugins
 * §3.5} lead to the reasons, in {@code docs/semantics} of the project's sources.
 */
@NullMarked
package dev.mooring.storage.spi;

import org.jspecify.annotations.NullMarked;
