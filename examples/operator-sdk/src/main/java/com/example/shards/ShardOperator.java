// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.javaoperatorsdk.operator.Operator;

/** The operator as a program: it finds its cluster as kubectl does. The cluster has to have {@code shardsets.yaml}. */
public final class ShardOperator {
    private ShardOperator() {}

    public static void main(String[] arguments) {
        Operator operator = new Operator();
        operator.register(new ShardReconciler());
        operator.installShutdownHook(java.time.Duration.ofSeconds(10));
        operator.start();
    }
}
